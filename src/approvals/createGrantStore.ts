// Threat: whoever can write this file can approve anything. It lives in the user-level folder, where no tool of the agent
// can write, and a file that cannot be read counts as empty: grants are lost rather than invented.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createSerialQueue } from '../base/createSerialQueue.ts';
import { createEmitter, type Emitter, type Event } from '../base/event.ts';
import { parseJson } from '../base/json.ts';
import { errorMessage } from '../base/errors.ts';
import type { ApprovalGrant } from '../contracts/approval.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { ifMissing } from '../host/ifMissing.ts';
import type { Clock, FileSystem } from '../host/ports.ts';
import { grantUnknown } from './approvalErrors.ts';
import { grantMatches, type GrantQuery } from './grantMatches.ts';

export type NewGrant = Omit<ApprovalGrant, 'id' | 'createdAt'>;

/**
 * The "always" answers of one user, in one JSON file. Every call reads the file again, so that a grant revoked
 * in another window no longer counts here.
 */
export interface GrantStore {
  list(): Promise<readonly ApprovalGrant[]>;
  /** Remembers a grant; one that already says the same is returned instead. */
  add(grant: NewGrant): Promise<ApprovalGrant>;
  /** @throws PincerError `grant_unknown` */
  revoke(id: string): Promise<void>;
  matches(query: GrantQuery): Promise<boolean>;
  readonly onDidChange: Event<void>;
}

interface GrantStoreDeps {
  readonly fs: FileSystem;
  /** Absolute path of the JSON file. */
  readonly path: string;
  readonly clock: Clock;
  /** Told of a file that could not be read. */
  readonly report: (diagnostic: Diagnostic) => void;
}

const maxFileBytes = 4_000_000;

const fileSchema = z.object({
  version: z.literal(1),
  grants: z.array(
    z
      .object({
        id: z.string(),
        toolName: z.string(),
        asker: z.string(),
        target: z.string(),
        workspace: z.string(),
        tenantId: z.string().min(1).optional(),
        createdAt: z.number(),
      })
      .transform(({ tenantId, ...grant }) => ({ ...grant, ...(tenantId === undefined ? {} : { tenantId }) })),
  ),
});

export function createGrantStore(deps: GrantStoreDeps): GrantStore {
  const changed: Emitter<void> = createEmitter();
  /** One change at a time: each reads what the one before wrote. */
  const change = createSerialQueue();
  const save = async (grants: readonly ApprovalGrant[]): Promise<void> => {
    await deps.fs.writeFile(deps.path, `${JSON.stringify({ version: 1, grants }, null, 2)}\n`);
    changed.fire();
  };

  return {
    list: () => change(() => readOrEmpty(deps)),
    matches: async (query) => {
      const grants = await change(() => readOrEmpty(deps));
      return grants.some((grant) => grantMatches(grant, query));
    },
    add: (wanted) =>
      change(async () => {
        const grants = await readGrants(deps);
        const known = grants.find((grant) => saysTheSame(grant, wanted));
        if (known !== undefined) return known;
        const grant: ApprovalGrant = { ...wanted, id: randomUUID(), createdAt: deps.clock.now() };
        await save([...grants, grant]);
        return grant;
      }),
    revoke: (id) =>
      change(async () => {
        const grants = await readGrants(deps);
        if (!grants.some((grant) => grant.id === id)) throw grantUnknown(id);
        await save(grants.filter((grant) => grant.id !== id));
      }),
    onDidChange: changed.event,
  };
}

function saysTheSame(grant: ApprovalGrant, wanted: NewGrant): boolean {
  const keys = ['toolName', 'asker', 'target', 'workspace', 'tenantId'] as const;
  return keys.every((key) => grant[key] === wanted[key]);
}

/** An unreadable file counts as empty where a grant is looked for; a change to it fails instead, so that nothing is lost. */
async function readOrEmpty(deps: GrantStoreDeps): Promise<readonly ApprovalGrant[]> {
  try {
    return await readGrants(deps);
  } catch (error) {
    deps.report(brokenFile(deps.path, errorMessage(error), 'Check that the file can be read.'));
    return [];
  }
}

async function readGrants({ fs, path, clock, report }: GrantStoreDeps): Promise<readonly ApprovalGrant[]> {
  const text = await readIfThere(fs, path);
  if (text === undefined) return [];
  const parsed = fileSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.grants;
  const aside = `${path}.broken-${clock.now()}`;
  await fs.writeFile(aside, text);
  await fs.remove(path);
  report(brokenFile(path, 'its content is not a list of grants', `The file was kept as ${aside}.`));
  return [];
}

/** Another window may remove the file at any moment. */
async function readIfThere(fs: FileSystem, path: string): Promise<string | undefined> {
  return await fs.readText(path, maxFileBytes).catch(ifMissing(undefined));
}

function brokenFile(path: string, why: string, hint: string): Diagnostic {
  return {
    level: 'warn',
    code: 'grants_unreadable',
    message: `Remembered approvals were not read, so everything asks again: ${path}: ${why}.`,
    hint,
    source: path,
  };
}
