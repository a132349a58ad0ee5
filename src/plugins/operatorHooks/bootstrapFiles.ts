// Threat: what hooks leave in the list becomes part of the system prompt. Only well-formed entries are taken, copied, and cut
// to size, so that nothing a handler does later reaches the prompt.
import { isAbsolute, join } from 'node:path';
import type { TextCache } from '../../agent/prompt/createTextCache.ts';
import { rulesFileUnused } from '../../agent/prompt/rules/readRootRules.ts';
import type { RulesFile } from '../../agent/prompt/rules/rulesFile.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import type { InternalEvents } from './createInternalEvents.ts';

/** A file of the workspace whose text becomes part of the system prompt (upstream's shape). */
interface BootstrapFile {
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** Absent where the file is missing. */
  readonly content?: string;
  readonly missing: boolean;
}

/**
 * In the order they stand in the prompt. Upstream's list less `MEMORY.md`: those are notes, which the memory quotes as data; they
 * give no orders.
 */
const bootstrapNames: readonly string[] = [
  'AGENTS.md',
  'SOUL.md',
  'TOOLS.md',
  'IDENTITY.md',
  'USER.md',
  'HEARTBEAT.md',
  'BOOTSTRAP.md',
];

const maxFiles = 40;

/** The bootstrap files of a workspace folder; links out of it and files that can't be read count as missing, and are told. */
export async function readBootstrapFiles(
  texts: TextCache,
  workspaceDir: string,
): Promise<{ readonly files: readonly BootstrapFile[]; readonly problems: readonly Diagnostic[] }> {
  const problems: Diagnostic[] = [];
  const files = await Promise.all(
    bootstrapNames.map(async (name): Promise<BootstrapFile> => {
      const path = join(workspaceDir, name);
      const read = await texts.read(workspaceDir, path);
      if (read.status === 'text') return { name, path, content: read.text, missing: false };
      if (read.status === 'refused') problems.push(rulesFileUnused(name, path, read.why));
      return { name, path, missing: true };
    }),
  );
  return { files, problems };
}

interface BootstrapInput {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceDir: string;
  readonly files: readonly BootstrapFile[];
  /** What hooks see as `context.cfg`; default nothing. */
  readonly cfg?: Readonly<Record<string, unknown>>;
}

interface BootstrapResult {
  readonly files: readonly BootstrapFile[];
  /** Texts for the user. */
  readonly texts: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Lets the hooks of `agent:bootstrap` change the list; the same list where nobody listens. */
export async function applyBootstrap(
  events: InternalEvents,
  { sessionKey, sessionId, agentId, workspaceDir, files, cfg }: BootstrapInput,
): Promise<BootstrapResult> {
  if (!events.has('agent', 'bootstrap')) return { files, texts: [], diagnostics: [] };
  const context: Record<string, unknown> = {
    workspaceDir,
    sessionKey,
    sessionId,
    agentId,
    bootstrapFiles: files.map((each) => ({ ...each })),
    ...(cfg === undefined ? {} : { cfg }),
  };
  const texts = await events.emit('agent', 'bootstrap', { sessionKey, context });
  const left = context['bootstrapFiles'];
  if (!Array.isArray(left)) {
    return { files, texts, diagnostics: [odd('bootstrapFiles is no list; the files stay as they were')] };
  }
  const read = left.slice(0, maxFiles).map(readEntry);
  const kept = read.filter((each) => each !== undefined);
  const dropped = left.length - kept.length;
  const diagnostics = dropped === 0 ? [] : [odd(`${dropped} entries that are no files are left out`)];
  return { files: kept, texts, diagnostics };
}

function odd(why: string): Diagnostic {
  return warnDiagnostic('hook_bootstrap_odd', `hooks of agent:bootstrap: ${why}`);
}

function readEntry(entry: unknown): BootstrapFile | undefined {
  if (!isRecord(entry)) return undefined;
  const { name, path, content, missing } = entry;
  if (typeof name !== 'string' || (content !== undefined && typeof content !== 'string')) return undefined;
  return {
    name: inertLine(name, 80),
    path: typeof path === 'string' ? inertLine(path, 500) : inertLine(name, 80),
    missing: missing === true || content === undefined,
    ...(content === undefined ? {} : { content }),
  };
}

/** The files that have a text, as the prompt takes them. `label` makes names such as `AGENTS.md` unique among several folders. Pure. */
export function toRulesFiles(
  files: readonly BootstrapFile[],
  workspaceDir: string,
  label: (name: string) => string,
): readonly RulesFile[] {
  return files.flatMap(({ name, path, content, missing }) =>
    missing || content === undefined || content.trim() === ''
      ? []
      : [{ label: label(name), path: isAbsolute(path) ? path : join(workspaceDir, path), text: content }],
  );
}
