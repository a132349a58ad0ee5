/** The release of OpenClaw whose plugin API this one follows. */
export const openClawVersion = '2026.5.18';
