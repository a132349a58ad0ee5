import { applyEdits, modify, type JSONPath } from 'jsonc-parser';
import { PincerError } from '../base/errors.ts';
import type { FileSystem } from '../host/ports.ts';
import { parseConfigFile } from './parseConfigFile.ts';

const layout = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } };

/** `text` with `value` at `path`; comments and layout of everything else stay. `undefined` removes the key. Pure. */
export function editConfigText(text: string, path: JSONPath, value: unknown): string {
  const source = text.trim() === '' ? '{}\n' : text;
  return applyEdits(source, modify(source, path, value, layout));
}

/**
 * Sets one key of a config file, making the file where there is none.
 * @throws PincerError `config_syntax`, `config_empty` when the file can't be understood now: an edit would make it worse.
 */
export async function editConfigFile(
  fs: FileSystem,
  file: string,
  path: JSONPath,
  value: unknown,
): Promise<void> {
  const before = (await fs.stat(file)) === undefined ? '{}\n' : await fs.readText(file);
  const broken = parseConfigFile(before, file).diagnostics.find(
    ({ code }) => code === 'config_syntax' || code === 'config_empty',
  );
  if (broken !== undefined)
    throw new PincerError(broken.code, broken.message, { hint: 'Fix the file, then try again.' });
  await fs.writeFile(file, editConfigText(before, path, value));
}
