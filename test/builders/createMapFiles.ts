import { dirname } from 'node:path';
import { PincerError } from '../../src/base/errors.ts';
import type { FileSystem } from '../../src/host/ports.ts';

/**
 * Files in memory, as far as transcripts and grants need them. `pause` is waited for before and after everything that a disk would
 * take its time for, so that a test decides who goes on when.
 */
export function createMapFiles(pause: () => Promise<unknown>): FileSystem {
  const files = new Map<string, string>();
  const times = new Map<string, number>();
  let time = 0;
  const write = (path: string, text: string): void => {
    files.set(path, text);
    times.set(path, (time += 1));
  };
  const textOf = (path: string): string => {
    const text = files.get(path);
    if (text === undefined) throw new PincerError('io_not_found', `There is no ${path}.`);
    return text;
  };
  const namesIn = (folder: string): readonly string[] =>
    [...files.keys()].filter((path) => dirname(path) === folder).map((path) => path.slice(folder.length + 1));
  const slowly = async <T>(work: () => T): Promise<T> => {
    await pause();
    const result = work();
    await pause();
    return result;
  };
  const known: Partial<FileSystem> = {
    stat: (path) =>
      slowly(() => {
        const text = files.get(path);
        const kind = text === undefined ? ('directory' as const) : ('file' as const);
        if (text === undefined && namesIn(path).length === 0) return undefined;
        const size = Buffer.byteLength(text ?? '');
        return { kind, size, mtimeMs: times.get(path) ?? 0, links: 1, mode: undefined, uid: undefined };
      }),
    readText: (path) => slowly(() => textOf(path)),
    readRange: (path, start, length) =>
      slowly(() => new Uint8Array(Buffer.from(textOf(path)).subarray(start, start + length))),
    readDirectory: (path) => slowly(() => namesIn(path).map((name) => ({ name, kind: 'file' as const }))),
    writeFile: (path, content) => slowly(() => write(path, Buffer.from(content).toString())),
    appendDurably: (path, text) => slowly(() => write(path, (files.get(path) ?? '') + text)),
    remove: (path) => slowly(() => void files.delete(path)),
  };
  return known as FileSystem;
}
