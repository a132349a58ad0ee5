// Threat: what hooks leave in the list becomes part of the system prompt. Only well-formed entries are taken, copied, and cut
// to size, so that nothing a handler does later reaches the prompt.
import { join } from 'node:path';
import { isRecord } from '../../base/json.ts';
import { inertLine, truncate } from '../../base/text.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FileSystem } from '../../host/ports.ts';
import { isInside } from '../discover/isInside.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import type { InternalEvents } from './createInternalEvents.ts';

/** A file of the workspace whose text becomes part of the system prompt (upstream's shape). */
export interface BootstrapFile {
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
export const bootstrapNames: readonly string[] = [
  'AGENTS.md',
  'SOUL.md',
  'TOOLS.md',
  'IDENTITY.md',
  'USER.md',
  'HEARTBEAT.md',
  'BOOTSTRAP.md',
];

/** Upstream's limits, in characters. */
const maxPerFile = 20_000;
const maxInAll = 60_000;
const maxFiles = 40;
const maxBytes = 1_000_000;

/** The bootstrap files of a workspace folder; links out of it and files that can't be read count as missing. */
export async function readBootstrapFiles(
  fs: FileSystem,
  workspaceDir: string,
): Promise<readonly BootstrapFile[]> {
  return await Promise.all(bootstrapNames.map((name) => readOne(fs, workspaceDir, name)));
}

async function readOne(fs: FileSystem, workspaceDir: string, name: string): Promise<BootstrapFile> {
  const path = join(workspaceDir, name);
  try {
    const isOwn = isInside(await fs.realpath(workspaceDir), await fs.realpath(path));
    if (isOwn) return { name, path, content: await fs.readText(path, maxBytes), missing: false };
  } catch {
    return { name, path, missing: true };
  }
  return { name, path, missing: true };
}

export interface BootstrapInput {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly workspaceDir: string;
  readonly files: readonly BootstrapFile[];
  /** What hooks see as `context.cfg`; default nothing. */
  readonly cfg?: Readonly<Record<string, unknown>>;
}

export interface BootstrapResult {
  readonly files: readonly BootstrapFile[];
  /** Texts for the user. */
  readonly texts: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Lets the hooks of `agent:bootstrap` change the list; the same list where nobody listens. */
export async function applyBootstrap(
  events: InternalEvents,
  { sessionKey, sessionId, workspaceDir, files, cfg }: BootstrapInput,
): Promise<BootstrapResult> {
  if (!events.has('agent', 'bootstrap')) return { files, texts: [], diagnostics: [] };
  const context: Record<string, unknown> = {
    workspaceDir,
    sessionKey,
    sessionId,
    agentId: 'main',
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

/** The files as a section of the system prompt; empty where none has text. Pure. */
export function bootstrapText(files: readonly BootstrapFile[]): string {
  let left = maxInAll;
  const sections: string[] = [];
  for (const { name, content, missing } of files) {
    const text = content?.trim() ?? '';
    if (missing || text === '' || left <= 0) continue;
    const shown = truncate(text, Math.min(maxPerFile, left));
    left -= shown.length;
    sections.push(`## ${name}\n\n${shown}`);
  }
  return sections.length === 0 ? '' : `# Files of the workspace\n\n${sections.join('\n\n')}`;
}
