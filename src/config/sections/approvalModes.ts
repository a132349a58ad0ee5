/** Upstream's names, from strict to loose. Apart from the schema: the editor needs the list before it loads anything heavy. */
export const approvalModes = ['deny', 'allowlist', 'ask', 'auto', 'full'] as const;

/** What happens with a call that needs a person (docs/config.md says each in a line). */
export type ConfiguredApprovalMode = (typeof approvalModes)[number];
