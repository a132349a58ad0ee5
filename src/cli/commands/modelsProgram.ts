import type { Command } from 'commander';
import type { ExitCode } from '../exitCodes.ts';
import type { Output } from '../output.ts';
import type { CliOptions } from '../withRuntime.ts';
import { runModelsList } from './modelsList.ts';
import { runModelsTest } from './modelsTest.ts';

type Action = (options: CliOptions, argument: string) => Promise<ExitCode>;

/** Adds `pincer models …`. `act` makes a commander action of a command; its argument is empty where it takes none. */
export function addModelsCommands(
  program: Command,
  act: (action: Action) => (...given: unknown[]) => Promise<void>,
  output: Output,
): void {
  const models = program.command('models').description('look at the models that can be asked');
  models
    .command('list')
    .description('list the models of the config and of plugins, and which one is the default')
    .action(act((options) => runModelsList(options, output)));
  models
    .command('test <name>')
    .description(
      'ask a model for one word: built-in, openai-compatible, <provider>/<model>, or replay:<file>',
    )
    .action(act((options, name) => runModelsTest(options, name, output)));
}
