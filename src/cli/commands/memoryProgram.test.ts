import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { recordOutput } from '../../../test/builders/memoryParts.ts';
import { addMemoryCommands } from './memoryProgram.ts';

const { output } = recordOutput();

describe('the command line', () => {
  /** What reaches the commands, without running any. */
  async function parse(...args: readonly string[]): Promise<readonly unknown[]> {
    const seen: unknown[] = [];
    const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    const act =
      () =>
      async (...given: unknown[]) => {
        const command = given.at(-1) as Command;
        seen.push(command.name(), given[0], command.opts());
      };
    addMemoryCommands(program, act, output);
    await program.parseAsync(args, { from: 'user' });
    return seen;
  }

  it('takes a query of several words, and options between them', async () => {
    expect(
      await parse('memory', 'search', 'deploy', '--max', '3', 'key', '--files', 'a', '--files', 'b'),
    ).toEqual(['search', 'deploy key', { max: 3, files: ['a', 'b'] }]);
  });

  it.each(['0', '-1', '1.5', 'x', '1e3'])('refuses %j as a number', async (said) => {
    await expect(parse('memory', 'search', 'key', `--max=${said}`)).rejects.toThrow('whole number');
    await expect(parse('memory', 'get', 'a.md', `--from=${said}`)).rejects.toThrow('whole number');
  });
});
