/**
 * The newest release of OpenClaw whose plugins are let in. Its plugin API is followed as far as docs/plugin-sdk.md says; what
 * a plugin uses beyond that fails by name.
 */
export const openClawVersion = '2026.9.6';
