import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../host/node/systemClock.ts';
import type { PluginCli } from '../pluginManager.ts';
import { addPluginCommands } from './addPluginCommands.ts';

interface Context {
  readonly program: Command;
}

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

function cli(
  pluginId: string,
  registrar: (context: Context) => unknown,
  commands: readonly string[] = [],
): PluginCli {
  return {
    pluginId,
    commands,
    registrar: (context) => registrar(context as Context),
    context: { config: {}, stateDir: '/state', logger: silent },
  };
}

function core(): Command {
  const program = new Command('pincer').exitOverride();
  program.command('agent').alias('ask');
  return program;
}

function names(program: Command): readonly string[] {
  return program.commands.map((command) => command.name());
}

describe('addPluginCommands', () => {
  it('adds a command that runs, and waits for an async registrar', async () => {
    const program = core();
    const ran: string[] = [];
    const add = async ({ program: own }: Context): Promise<void> => {
      await Promise.resolve();
      own.command('notes <word>').action((word: string) => void ran.push(word));
    };
    expect(await addPluginCommands(program, [cli('notes', add, ['notes'])], systemClock)).toEqual([]);
    await program.parseAsync(['notes', 'hello'], { from: 'user' });
    expect(ran).toEqual(['hello']);
  });

  it.each(['agent', 'ask'])(
    'skips a registrar that declares the taken name %s, without running it',
    async (name) => {
      const program = core();
      let runs = 0;
      const [refused] = await addPluginCommands(
        program,
        [cli('bad', () => (runs += 1), [name])],
        systemClock,
      );
      expect(refused).toMatchObject({ code: 'plugin_cli_refused', pluginId: 'bad' });
      expect(refused?.message).toContain(`cli command already registered: ${name}`);
      expect(runs).toBe(0);
    },
  );

  it('takes back everything of a registrar that fails or adds a taken name undeclared', async () => {
    const program = core();
    const half = ({ program: own }: Context): void => {
      own.command('half');
      throw new Error('no database');
    };
    const sly = ({ program: own }: Context): void => {
      own.command('extra');
      own.command('agent');
    };
    const refused = await addPluginCommands(program, [cli('half', half), cli('sly', sly)], systemClock);
    expect(refused.map(({ code, pluginId }) => [code, pluginId])).toEqual([
      ['plugin_cli_failed', 'half'],
      ['plugin_cli_failed', 'sly'],
    ]);
    expect(names(program)).toEqual(['agent']);
  });

  it('gives the first plugin a name that two declare', async () => {
    const program = core();
    const add = ({ program: own }: Context): void => void own.command('notes');
    const refused = await addPluginCommands(
      program,
      [cli('one', add, ['notes']), cli('two', add, ['notes'])],
      systemClock,
    );
    expect(refused.map(({ pluginId }) => pluginId)).toEqual(['two']);
  });
});
