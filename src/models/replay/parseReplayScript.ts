import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import { emptyScript, invalidScript } from './replayErrors.ts';
import { replayTurnSchema, type ReplayTurn } from './replayTurn.ts';

/**
 * The turns of a replay script; `name` is the file as errors show it.
 *
 * @throws PincerError `replay_invalid` with file and line for a broken line, an unknown key or a file without turns.
 */
export function parseReplayScript(script: string, name: string): readonly ReplayTurn[] {
  const turns = script
    .replace(/^\uFEFF/u, '')
    .split(/\r?\n/u)
    .flatMap((text, index) => (text.trim() === '' ? [] : [parseTurn(text, name, index + 1)]));
  if (turns.length === 0) throw emptyScript(name);
  return turns;
}

function parseTurn(text: string, name: string, line: number): ReplayTurn {
  const parsed = replayTurnSchema.safeParse(parseLine(text, name, line));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.length === 0 ? '' : `${issue.path.join('.')}: `}${issue.message}`,
    );
    throw invalidScript(name, line, inertLine(problems.join('; '), 400));
  }
  return { ...parsed.data, line };
}

function parseLine(text: string, name: string, line: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidScript(name, line, `This is no JSON: ${inertLine(errorMessage(error), 200)}`);
  }
  if (!isRecord(value)) throw invalidScript(name, line, 'A turn is a JSON object.');
  return value;
}
