import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The milliseconds of every log line `<label> <n> ms` that the extension has written so far, in all windows of a server, the
 * oldest line first. `logs` is the server's log folder, there or not yet.
 */
export async function readLogFigures(logs: string, label: string): Promise<readonly number[]> {
  if (!existsSync(logs)) return [];
  const files = (await readdir(logs, { recursive: true })).filter((file) => file.endsWith('Pincer.log'));
  const texts = await Promise.all(files.map((file) => readFile(join(logs, file), 'utf8')));
  // Every line begins with its date.
  return findFigures(texts.join('\n').split('\n').sort(), label);
}

function findFigures(lines: readonly string[], label: string): readonly number[] {
  return lines.flatMap((line) => {
    const at = line.indexOf(`${label} `);
    const figure =
      at < 0 ? undefined : /^(\d+(?:\.\d+)?) ms$/u.exec(line.slice(at + label.length + 1).trim())?.[1];
    return figure === undefined ? [] : [Number(figure)];
  });
}
