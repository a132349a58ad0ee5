// Threat: other users of the machine read what the program keeps: conversations, traces, consents, settings.
import { isAbsolute, relative, sep } from 'node:path';
import type { FileAccess, FileSystem } from './ports.ts';

/** The same files, but what is written in one of `folders` (absolute), themselves included, is for the user alone. */
export function createPrivateFiles(fs: FileSystem, folders: readonly string[]): FileSystem {
  const accessTo = (path: string): FileAccess =>
    folders.some((folder) => isWithin(folder, path)) ? 'private' : 'usual';
  return {
    ...fs,
    writeFile: (path, content, access = accessTo(path)) => fs.writeFile(path, content, access),
    createFile: (path, content, access = accessTo(path)) => fs.createFile(path, content, access),
    append: (path, text, access = accessTo(path)) => fs.append(path, text, access),
    appendDurably: (path, text, access = accessTo(path)) => fs.appendDurably(path, text, access),
    makeDirectory: (path, access = accessTo(path)) => fs.makeDirectory(path, access),
  };
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
