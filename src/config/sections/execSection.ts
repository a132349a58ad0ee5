// Threat: a cloned repository says which commands run unasked, in which shell and with which of the user's variables.
// Nothing of that counts from a workspace's file: it can only forbid, ask more and shorten.
import { z } from 'zod';
import { addsTo, isLooser, keysWhere, shared, stricterOf, type ConfigSection } from './section.ts';

// Each from strict to loose.
const hosts = ['node', 'sandbox', 'auto', 'local'] as const;
const securities = ['deny', 'allowlist', 'full'] as const;
const asks = ['always', 'on-miss', 'off'] as const;

const patterns = z.array(z.string().min(1));

export const execSchema = z.strictObject({
  host: z
    .enum([...hosts, 'gateway'])
    .optional()
    .describe(
      'Where commands run. local or gateway: on this machine. node: refused, since there are no nodes. auto: in the sandbox if it is enabled and available, else on this machine. Default auto.',
    ),
  security: z
    .enum(securities)
    .optional()
    .describe(
      'deny: no command runs. allowlist: commands on the allow list run. full: all except the deny list run. Default allowlist.',
    ),
  ask: z
    .enum(asks)
    .optional()
    .describe(
      'off: never asks; commands that are not on the allow list are denied. on-miss: asks about them. Default on-miss.',
    ),
  allow: patterns
    .optional()
    .describe(
      'Commands that run without asking: words, * for one word, a final ** for any number of words: "npm test **".',
    ),
  deny: patterns.optional().describe('Commands that never run; overrides allow.'),
  timeoutSec: z
    .int()
    .positive()
    .max(86_400)
    .optional()
    .describe('Time limit of a command, in seconds. Default 1800.'),
  passEnv: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/u))
    .optional()
    .describe('Names of environment variables that commands get even though they look like secrets.'),
  shell: z
    .enum(['bash', 'zsh', 'fish', 'pwsh', 'cmd'])
    .optional()
    .describe("The shell for commands that need one. Default: your system's."),
});

type ExecInput = z.infer<typeof execSchema>;

export interface ExecConfig {
  readonly host: (typeof hosts)[number];
  readonly security: (typeof securities)[number];
  readonly ask: (typeof asks)[number];
  /** Command patterns beside the safe commands; empty adds none. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly timeoutSec: number;
  readonly passEnv: readonly string[];
  readonly shell: ExecInput['shell'];
}

export const execSection: ConfigSection<ExecInput, ExecConfig> = {
  resolve: (input) => ({
    host: hostOf(input?.host) ?? 'auto',
    security: input?.security ?? 'allowlist',
    ask: input?.ask ?? 'on-miss',
    allow: input?.allow ?? [],
    deny: input?.deny ?? [],
    timeoutSec: input?.timeoutSec ?? 1800,
    passEnv: input?.passEnv ?? [],
    shell: input?.shell,
  }),
  tighten: (holds, input) => ({
    ...holds,
    host: stricterOf(hosts, holds.host, hostOf(input.host)),
    security: stricterOf(securities, holds.security, input.security),
    ask: stricterOf(asks, holds.ask, input.ask),
    allow: shared(holds.allow, input.allow),
    deny: [...holds.deny, ...(input.deny ?? [])],
    timeoutSec: Math.min(holds.timeoutSec, input.timeoutSec ?? holds.timeoutSec),
  }),
  ignored: (input, holds) =>
    keysWhere({
      'tools.exec.host': isLooser(hosts, holds.host, hostOf(input.host)),
      'tools.exec.security': isLooser(securities, holds.security, input.security),
      'tools.exec.ask': isLooser(asks, holds.ask, input.ask),
      'tools.exec.allow': addsTo(holds.allow, input.allow) && ' beyond your own',
      'tools.exec.passEnv': input.passEnv !== undefined,
      'tools.exec.shell': input.shell !== undefined,
    }),
};

/** OpenClaw's gateway is the program itself: what it runs, it runs on this machine. */
function hostOf(input: ExecInput['host']): ExecConfig['host'] | undefined {
  return input === 'gateway' ? 'local' : input;
}
