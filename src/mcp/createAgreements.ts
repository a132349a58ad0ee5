// Threat: whoever can write this file can have any program started. It lies in the user's own folder, where no tool of the agent writes, and
// one that can't be read says that nothing was agreed to.
import { join } from 'node:path';
import { z } from 'zod';
import { errorMessage, PincerError } from '../base/errors.ts';
import { parseJson, stableStringify } from '../base/json.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { createInterprocessMutex } from '../host/createWriterLock.ts';
import { ifMissing } from '../host/ifMissing.ts';
import type { Clock, FileSystem } from '../host/ports.ts';
import type { ProcessOwner } from '../host/processOwner.ts';
import type { Launch } from './launch.ts';
import type { ServerOrigin } from './mcpServers.ts';

const launchSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('program'),
    command: z.string(),
    args: z.array(z.string()).readonly(),
    env: z.array(z.string()).readonly(),
    cwd: z.string().optional(),
    files: z.array(z.strictObject({ path: z.string(), sha256: z.string() })).readonly(),
    sandbox: z.string().optional(),
    runsIn: z.string().optional(),
    installed: z
      .strictObject({
        name: z.string(),
        version: z.string(),
        integrity: z.string(),
        content: z.string(),
        folder: z.string(),
        isLocal: z.boolean(),
      })
      .optional(),
  }),
  z.strictObject({
    kind: z.literal('address'),
    origin: z.string(),
    headers: z.array(z.string()).readonly(),
    client: z.string().optional(),
  }),
]);

const agreementSchema = z.strictObject({
  launch: launchSchema,
  /** The definitions as the server sent them. */
  tools: z.array(z.record(z.string(), z.unknown())).readonly(),
  /** Names of tools that the person saw and kept from agents, whatever they become. */
  without: z.array(z.string()).readonly().optional(),
  /** False until the first list of its tools was agreed to. */
  isListed: z.boolean(),
  wire: z.enum(['modern', 'legacy']).optional(),
  agreedAt: z.number(),
});

const fileSchema = z.strictObject({ version: z.literal(1), servers: z.record(z.string(), agreementSchema) });

/** What a person has agreed to about one server. */
export type Agreement = Readonly<z.infer<typeof agreementSchema>>;

/** All agreements, by the place where a server is named and its name there. */
export interface AgreementsRead {
  readonly all: ReadonlyMap<string, Agreement>;
  /** What marked the file from before it was read until after. */
  readonly stamp: string | undefined;
}

/** What people have agreed to, in a file that all windows share. */
export interface Agreements {
  /** All of them; none, and told, where the file can't be read. */
  read(fs?: FileSystem): Promise<AgreementsRead>;
  /** What marks the file now: who has taken over all that was read by this mark need not read again. */
  stamp(): Promise<string | undefined>;
  /** Undefined takes one back. @throws PincerError `mcp_agreements_locked`, `io_*` */
  set(key: string, agreement: Agreement | undefined): Promise<void>;
  /**
   * Adds what only a start shows to an agreement that is still for `launch`, and gives what is agreed to now: another window may have taken
   * it back meanwhile, or left out a tool. @throws PincerError `mcp_agreements_locked`, `io_*`
   */
  amend(
    key: string,
    launch: Launch,
    shown: Partial<Pick<Agreement, 'launch' | 'wire'>>,
  ): Promise<Agreement | undefined>;
}

const maxBytes = 50_000_000;

/** Where the same name in two files means two servers. Pure. */
export function agreementKey(origin: ServerOrigin, name: string): string {
  switch (origin.kind) {
    case 'user':
      return `user ${name}`;
    case 'file':
      return `file ${name} ${origin.path}`;
    case 'plugin':
      return `plugin ${name} ${origin.pluginId}`;
  }
}

export interface AgreementsDeps {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly owner: ProcessOwner;
  /** `~/.pincer`, or what PINCER_HOME names. */
  readonly home: string;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** In `<home>/mcp.json`. Each call reads the file again: another window may have changed it. One window writes at a time. */
export function createAgreements({ fs, clock, owner, home, report }: AgreementsDeps): Agreements {
  const path = join(home, 'mcp.json');
  const locks = `${path}.locks`;
  const exclusively = createInterprocessMutex({
    fs,
    clock,
    owner,
    folder: locks,
    locked: (waitedMs) => agreementsLocked(locks, waitedMs),
    notReleased: (error) =>
      report({
        level: 'warn',
        code: 'mcp_agreements_not_released',
        message: `The lock in ${locks} could not be released: ${errorMessage(error)}`,
        hint: 'Other windows can agree to MCP servers once this one has changed an agreement again, or has ended.',
        source: locks,
      }),
  });
  const stamp = async (): Promise<string | undefined> => (await fs.stamps([path]))[0];
  const read = async (through = fs): Promise<ReadonlyMap<string, Agreement>> => {
    const text = await through.readText(path, maxBytes).catch(ifMissing(undefined));
    if (text === undefined) return new Map();
    const parsed = fileSchema.safeParse(parseJson(text));
    if (!parsed.success) throw new Error('its content is not what Pincer writes there');
    return new Map(Object.entries(parsed.data.servers));
  };
  const write = async (key: string, agreement: Agreement | undefined): Promise<void> => {
    const others = [...(await read())].filter(([each]) => each !== key);
    const all = agreement === undefined ? others : [...others, [key, agreement] as const];
    const file = { version: 1, servers: Object.fromEntries(all) };
    await fs.writeFile(path, `${JSON.stringify(file, undefined, 2)}\n`);
  };
  const readOrReport = async (through?: FileSystem): Promise<ReadonlyMap<string, Agreement>> => {
    try {
      return await read(through);
    } catch (error) {
      report({
        level: 'error',
        code: 'mcp_agreements_unreadable',
        message: `What you have agreed to about MCP servers can't be read: ${errorMessage(error)}`,
        hint: `No server starts. Repair ${path} or remove it, and agree again.`,
        source: path,
      });
      return new Map();
    }
  };
  const readStamped: Agreements['read'] = async (through) => {
    const before = await stamp();
    const all = await readOrReport(through);
    // Of two that read beside each other none may give what was there before to who has taken over what came after it.
    return (await stamp()) === before ? { all, stamp: before } : await readStamped(through);
  };
  return {
    read: readStamped,
    stamp,
    set: (key, agreement) => exclusively(() => write(key, agreement)),
    amend: (key, launch, shown) =>
      exclusively(async () => {
        const agreed = (await read()).get(key);
        if (agreed === undefined || stableStringify(agreed.launch) !== stableStringify(launch)) return agreed;
        const known = { ...agreed, ...shown };
        await write(key, known);
        return known;
      }),
  };
}

function agreementsLocked(locks: string, waitedMs: number): PincerError {
  return new PincerError(
    'mcp_agreements_locked',
    `The agreement was not saved: another window has held the lock in ${locks} for more than ${String(waitedMs / 1_000)} seconds.`,
    { hint: 'Reload or close the other windows, and end other pincer processes. Then try again.' },
  );
}
