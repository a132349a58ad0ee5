import type { Diagnostic } from '../../../contracts/diagnostic.ts';

/** One diagnostic for all files and folders that can't be looked at. `paths` is not empty. */
export function pathsUnreadable(paths: readonly string[], cause: string): Diagnostic {
  const [first = '', ...others] = paths;
  const more = others.length === 0 ? '' : ` and ${String(others.length)} more`;
  return {
    level: 'warn',
    code: 'memory_path_unreadable',
    message: `The memory leaves out ${first}${more}: ${cause}`,
    hint: 'Give yourself the right to read it, or exclude it with pincer.memory.exclude.',
    source: first,
  };
}

export function rootMissing(path: string): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_root_missing',
    message: `The folder ${path} is not there, so its files are not in the memory.`,
    hint: 'Bring it back, or take it out of the workspace.',
    source: path,
  };
}

export function extraPathMissing(path: string): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_extra_path_missing',
    message: `There is no file or folder ${path}, which memory.extraPaths names.`,
    hint: 'Correct memory.extraPaths in your config.',
    source: path,
  };
}

export function tooManyFiles(limit: number): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_too_many_files',
    message: `The memory holds the ${String(limit)} files nearest to the top of the workspace; the others are left out.`,
    hint: 'Exclude folders with pincer.memory.exclude, or name what counts with pincer.memory.include.',
  };
}

export function patternInvalid(message: string): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_pattern_invalid',
    message: `${message} The memory goes on without it.`,
    hint: 'Correct memory.include or memory.exclude.',
  };
}

export function ignoreFileUnused(path: string, why: string): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_ignore_file_unused',
    message: `The memory does not follow ${path}: ${why}.`,
    hint: 'Shorten it, or exclude the files with pincer.memory.exclude.',
    source: path,
  };
}
