import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { CommandExplanation } from '../../runtime/explainCommand.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { toTable, type Output } from '../output.ts';
import { inertJson } from '../inert.ts';

/** What `pincer tools explain exec` may be asked about. */
export interface CommandOptions {
  readonly command?: string;
  /** A file with one command on each line. */
  readonly commands?: string;
}

/** Which commands are asked about; undefined where none are. @throws PincerError `commands_unreadable`, `option_invalid` */
export async function readCommands(
  tool: string,
  { command, commands }: CommandOptions,
): Promise<readonly string[] | undefined> {
  if (command === undefined && commands === undefined) return undefined;
  if (tool !== 'exec') {
    throw new PincerError('option_invalid', `${tool} runs no commands.`, {
      hint: 'pincer tools explain exec --command "git status"',
    });
  }
  if (commands === undefined) return [command ?? ''];
  try {
    const lines = (await readFile(resolve(commands), 'utf8')).split(/\r?\n/u);
    return lines.filter((line) => line.trim() !== '');
  } catch (error) {
    throw new PincerError('commands_unreadable', `${commands} can't be read: ${errorMessage(error)}`, {
      hint: 'Give a text file with one command on each line.',
      cause: error,
    });
  }
}

/** Says what would happen to each; in lines of JSON where a file or `--json` asks for them. */
export async function explainCommands(
  runtime: Pick<Runtime, 'explainCommand'>,
  commands: readonly string[],
  isJson: boolean,
  output: Output,
): Promise<void> {
  const words: Readonly<Record<CommandExplanation['verdict'], string>> = {
    allow: 'runs unasked',
    ask: 'asks',
    deny: 'never runs',
  };
  for (const command of commands) {
    const found = await runtime.explainCommand(command);
    output.out(
      isJson
        ? `${inertJson(JSON.stringify(found))}\n`
        : toTable([[words[found.verdict], found.command, found.reason]]),
    );
  }
}
