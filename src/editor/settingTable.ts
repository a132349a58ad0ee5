/** Every VS Code setting of Pincer, without its `pincer.` prefix, and its default; a test compares it with `package.json`. */
export const settingDefaults = {
  'approvals.notifications': true,
  'review.openDiff': true,
} as const;

export type SettingName = keyof typeof settingDefaults;
