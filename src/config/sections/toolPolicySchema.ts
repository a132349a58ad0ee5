import { z } from 'zod';

/** Upstream's tool sets by purpose; src/tools/policy says what each holds. */
const toolProfiles = ['minimal', 'coding', 'messaging', 'full'] as const;

export type ToolProfile = (typeof toolProfiles)[number];

export function isToolProfile(name: string): name is ToolProfile {
  return toolProfiles.some((each) => each === name);
}

const entries = z.array(z.string().min(1));

const allow = entries
  .optional()
  .describe('Allowed tools: names, globs, plugin ids, group:fs. Empty or missing: all.');
const deny = entries.optional().describe('Denied tools; overrides allow.');
const alsoAllow = entries
  .optional()
  .describe('Tools in addition to the profile and to allow; enables optional tools.');
const profile = z
  .union([z.enum(toolProfiles), z.string().min(1)])
  .optional()
  .describe('A set of tools by purpose, or one of tools.profiles; full, the default, is all of them.');

const listsSchema = z.strictObject({ allow, deny });
const groupSchema = z.strictObject({ allow, alsoAllow, deny });
const rulesSchema = z.strictObject({ profile, allow, alsoAllow, deny });

const byProvider = z
  .record(z.string(), rulesSchema)
  .optional()
  .describe('Tool policy by provider or model: "ollama", "ollama/qwen3-coder". The model takes precedence.');

/** The rules for one agent's tools. */
export const agentToolsSchema = rulesSchema.extend({ byProvider });

/** The keys of `tools` that say which tools there are. */
export const toolPolicyShape = {
  ...agentToolsSchema.shape,
  profiles: z
    .record(z.string().min(1), listsSchema)
    .optional()
    .describe('Your own profiles by name; one with the name of a built-in profile replaces it.'),
  providers: byProvider.describe('Alias of byProvider. If both name a provider, both apply.'),
  sandbox: z
    .strictObject({ tools: listsSchema.optional() })
    .optional()
    .describe('Tool policy while commands run in the sandbox.'),
  subagents: z
    .strictObject({ tools: listsSchema.optional() })
    .optional()
    .describe('Tool policy of subagents.'),
};

export const groupsSchema = z.record(
  z.string(),
  z.strictObject({ tools: groupSchema.optional().describe('Tool policy in this group.') }),
);

/** Two lists; the profile and further tools where the place has them. */
type ToolRules = z.infer<typeof rulesSchema>;
type Lists = z.infer<typeof listsSchema>;

export interface ToolRulesByProvider extends ToolRules {
  readonly byProvider?: Readonly<Record<string, ToolRules>> | undefined;
}

interface GeneralToolRules extends ToolRulesByProvider {
  readonly profiles?: Readonly<Record<string, Lists>> | undefined;
  readonly providers?: ToolRulesByProvider['byProvider'];
  readonly sandbox?: { readonly tools?: Lists | undefined } | undefined;
  readonly subagents?: { readonly tools?: Lists | undefined } | undefined;
}

/** Everything one config file says about which tools there are. */
export interface ToolPolicySource {
  /** How people know the file: `user config`. */
  readonly label: string;
  /** True for the user's own file: only that reveals an optional tool. */
  readonly isUser?: boolean;
  /** True for what the file says by now, where it was changed since it was loaded: both must allow a tool. */
  readonly isNewer?: boolean;
  readonly tools: GeneralToolRules;
  readonly agents: Readonly<Record<string, { readonly tools?: ToolRulesByProvider | undefined }>>;
  readonly groups: Readonly<Record<string, { readonly tools?: ToolRules | undefined }>>;
}
