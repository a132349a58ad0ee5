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
      'Where commands run. local, or gateway: this machine. node: nowhere, there are no nodes yet. auto: in the sandbox where it is switched on and there, else on this machine. Default auto.',
    ),
  security: z
    .enum(securities)
    .optional()
    .describe(
      'deny: none runs. allowlist: what the allow list covers. full: all but the deny list. Default allowlist.',
    ),
  ask: z
    .enum(asks)
    .optional()
    .describe(
      'off: nobody is asked, a miss is denied. on-miss: what the allow list does not cover asks. Default on-miss.',
    ),
  allow: patterns
    .optional()
    .describe(
      'Commands that need no question: words, * for one word, a last ** for any more: "npm test **".',
    ),
  deny: patterns.optional().describe('Commands that never run; wins over allow.'),
  timeoutSec: z.int().positive().max(86_400).optional().describe('Seconds a command may run. Default 1800.'),
  passEnv: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/u))
    .optional()
    .describe('Names of variables that commands get although they look like secrets.'),
  shell: z
    .enum(['bash', 'zsh', 'fish', 'pwsh', 'cmd'])
    .optional()
    .describe('The shell for what needs one. Without it the one of your system.'),
});

type Said = z.infer<typeof execSchema>;

export interface ExecConfig {
  readonly host: (typeof hosts)[number];
  readonly security: (typeof securities)[number];
  readonly ask: (typeof asks)[number];
  /** Command patterns beside the safe commands; empty adds none. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly timeoutSec: number;
  readonly passEnv: readonly string[];
  readonly shell: Said['shell'];
}

export const execSection: ConfigSection<Said, ExecConfig> = {
  resolve: (said) => ({
    host: hostOf(said?.host) ?? 'auto',
    security: said?.security ?? 'allowlist',
    ask: said?.ask ?? 'on-miss',
    allow: said?.allow ?? [],
    deny: said?.deny ?? [],
    timeoutSec: said?.timeoutSec ?? 1800,
    passEnv: said?.passEnv ?? [],
    shell: said?.shell,
  }),
  tighten: (holds, said) => ({
    ...holds,
    host: stricterOf(hosts, holds.host, hostOf(said.host)),
    security: stricterOf(securities, holds.security, said.security),
    ask: stricterOf(asks, holds.ask, said.ask),
    allow: shared(holds.allow, said.allow),
    deny: [...holds.deny, ...(said.deny ?? [])],
    timeoutSec: Math.min(holds.timeoutSec, said.timeoutSec ?? holds.timeoutSec),
  }),
  ignored: (said, holds) =>
    keysWhere({
      'tools.exec.host': isLooser(hosts, holds.host, hostOf(said.host)),
      'tools.exec.security': isLooser(securities, holds.security, said.security),
      'tools.exec.ask': isLooser(asks, holds.ask, said.ask),
      'tools.exec.allow beyond your own': addsTo(holds.allow, said.allow),
      'tools.exec.passEnv': said.passEnv !== undefined,
      'tools.exec.shell': said.shell !== undefined,
    }),
};

/** OpenClaw's gateway is the program itself: what it runs, it runs on this machine. */
function hostOf(said: Said['host']): ExecConfig['host'] | undefined {
  return said === 'gateway' ? 'local' : said;
}
