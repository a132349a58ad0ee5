// Threat: what is read from here runs. The folder lies outside of every workspace, beside the snapshots, and an entry is found
// only by the hash of everything that its code was made from, so that no file can bring about another file's code.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

export interface TranspileInput {
  readonly path: string;
  readonly source: string;
  /** Writes imports that wait, for code that awaits outside of functions. */
  readonly async: boolean;
}

/** Transpiled code on disk, shared by all versions of a plugin: an edit transpiles the edited file alone. */
export interface TranspileCache {
  /** Undefined where there is none, or it is not as it was written. */
  read(input: TranspileInput): string | undefined;
  /** False where the folder can't be written: the code is transpiled again the next time. */
  write(input: TranspileInput, code: string): boolean;
}

/** `maker` names the transpiler, its version and its settings. */
export function createTranspileCache(folder: string, maker: string): TranspileCache {
  const fileOf = (input: TranspileInput): string => join(folder, `${keyOf(input, maker)}.js`);
  return {
    read(input) {
      try {
        return open(readFileSync(fileOf(input), 'utf8'));
      } catch {
        return undefined;
      }
    },
    write(input, code) {
      const file = fileOf(input);
      // Another process may read it at any moment: it is there as a whole or not at all.
      const temporary = `${file}.${randomUUID()}`;
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        writeFileSync(temporary, seal(code), { mode: 0o600 });
        renameSync(temporary, file);
        return true;
      } catch {
        return false;
      }
    },
  };
}

function keyOf({ path, source, async }: TranspileInput, maker: string): string {
  const ending = extname(path);
  // `import.meta` becomes code that holds the file's own path, which is another one in each version.
  const holdsPath = /\bmeta\b/u.test(source);
  return hash(JSON.stringify([maker, ending, async, holdsPath ? path : '', source]));
}

const hashLength = 64;

/** The hash comes last, so that the code's lines stay where they are, and a torn file doesn't pass for a whole one. */
function seal(code: string): string {
  return `${code}${hash(code)}`;
}

function open(sealed: string): string | undefined {
  const code = sealed.slice(0, -hashLength);
  return hash(code) === sealed.slice(-hashLength) ? code : undefined;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
