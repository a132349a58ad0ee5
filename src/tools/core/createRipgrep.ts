// Threat: a pattern or a name from a model becomes an option of the program that searches, or its own configuration file
// changes what it does. Everything is an argument after its option, `--` ends the options, and no configuration is read.
import { PincerError } from '../../base/errors.ts';
import type { Processes } from '../../host/processes.ts';

export interface RipgrepQuery {
  /** Absolute path of a folder, or of one file. */
  readonly path: string;
  readonly isFile: boolean;
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** Only names that match; relative to the folder. */
  readonly glob: string | undefined;
  readonly maxFileBytes: number;
}

interface RipgrepHit {
  /** Absolute path. */
  readonly path: string;
  /** Counting from 1. */
  readonly line: number;
  readonly text: string;
  /** Where in `text` the hit begins. */
  readonly at: number;
}

/** How a search ended: `all` was searched, the taker had enough, or the pattern is none of ripgrep's. */
type RipgrepEnd = 'all' | 'stopped' | 'pattern';

/**
 * Searches with ripgrep. `take` gets each hit as it comes and ends the search by giving false.
 * @throws PincerError `cancelled`; `process_*` where the program can't be started
 */
export type Ripgrep = (
  query: RipgrepQuery,
  take: (hit: RipgrepHit) => boolean,
  signal: AbortSignal,
) => Promise<RipgrepEnd>;

const skippedFolders = ['.git', '.hg', '.svn', 'node_modules'];
/** A line beyond this is data, not text; what lies behind is not looked at. */
const maxLineBytes = 1_000_000;

/** @param program absolute path of ripgrep */
export function createRipgrep(processes: Processes, program: string): Ripgrep {
  return async (query, take, signal) => {
    const running = await processes.start({
      file: program,
      args: argumentsOf(query),
      cwd: query.isFile ? dirnameOf(query.path) : query.path,
      env: {},
    });
    const state: { end: RipgrepEnd } = { end: 'all' };
    let complaint = '';
    const stop = (): void => running.kill('SIGKILL');
    const lines = createLineReader((line) => {
      const hit = state.end === 'all' ? parseHit(line, query) : undefined;
      if (hit === undefined || take(hit)) return;
      state.end = 'stopped';
      stop();
    });
    running.onOutput((stream, bytes) => {
      if (stream === 'stderr') complaint = (complaint + Buffer.from(bytes).toString()).slice(0, 2_000);
      else if (state.end === 'all') lines(bytes);
    });
    signal.addEventListener('abort', stop, { once: true });
    await running.exit;
    signal.removeEventListener('abort', stop);
    if (signal.aborted) throw new PincerError('cancelled', 'The search was stopped.');
    return state.end === 'all' && /regex|look-around|backreference/u.test(complaint) ? 'pattern' : state.end;
  };
}

function argumentsOf(query: RipgrepQuery): readonly string[] {
  const { pattern, literal, ignoreCase, glob, maxFileBytes, isFile, path } = query;
  return [
    ...['--no-config', '--no-messages', '--no-ignore', '--hidden', '--color=never', '--crlf'],
    ...['--with-filename', '--no-heading', '--line-number', '--column', '--null'],
    `--max-filesize=${maxFileBytes}`,
    ...(literal ? ['--fixed-strings'] : []),
    ...(ignoreCase ? ['--ignore-case'] : []),
    // A pattern with a slash counts from the folder; one without means the name in any folder.
    ...(glob === undefined
      ? []
      : [`--glob=${glob.includes('/') && !glob.startsWith('**') ? `/${glob}` : glob}`]),
    `--glob=!{${skippedFolders.join(',')}}`,
    `--regexp=${pattern}`,
    '--',
    isFile ? path : './',
  ];
}

/** `path NUL line:column:text`, the column in bytes. */
function parseHit(line: Buffer, { path, isFile }: RipgrepQuery): RipgrepHit | undefined {
  const nul = line.indexOf(0);
  if (nul === -1) return undefined;
  const found = line.toString('utf8', 0, nul);
  const match = /^(\d+):(\d+):/u.exec(line.toString('latin1', nul + 1, nul + 40));
  if (match === null) return undefined;
  const start = nul + 1 + match[0].length;
  const at = line.toString('utf8', start, start + Number(match[2]) - 1).length;
  const text = line.toString('utf8', start).replace(/\r$/u, '');
  const below = found.replace(/^\.[\\/]/u, '');
  return { path: isFile ? path : `${path}/${below}`, line: Number(match[1]), text, at };
}

function createLineReader(onLine: (line: Buffer) => void): (bytes: Uint8Array) => void {
  let kept: Buffer[] = [];
  let size = 0;
  return (bytes) => {
    let rest = Buffer.from(bytes);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      onLine(Buffer.concat([...kept, rest.subarray(0, end)]));
      kept = [];
      size = 0;
      rest = rest.subarray(end + 1);
    }
    if (size >= maxLineBytes) return;
    kept.push(rest);
    size += rest.length;
  };
}

function dirnameOf(path: string): string {
  return path.replace(/[\\/][^\\/]*$/u, '') || '/';
}
