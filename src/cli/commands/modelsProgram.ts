import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { type Output, toJson } from '../output.ts';
import { type CliOptions, withRuntime } from '../withRuntime.ts';
import { runModelsList } from './modelsList.ts';
import { resolve } from 'node:path';
import { truncate } from '../../base/text.ts';
import { inertFact } from '../inert.ts';

type Action = (options: CliOptions, argument: string) => Promise<ExitCode>;

/** Adds `pincer models …`. `act` makes a commander action of a command; its argument is empty where it takes none. */
export function addModelsCommands(
  program: Command,
  act: (action: Action) => (...given: unknown[]) => Promise<void>,
  output: Output,
): void {
  const models = program.command('models').description('list and test models');
  models
    .command('list')
    .description('list the models of the config and of plugins, and the default')
    .action(act((options) => runModelsList(options, output)));
  models
    .command('test <name>')
    .description(
      'send a test prompt to a model: built-in, openai-compatible, <provider>/<model>, or replay:<file>',
    )
    .action(act((options, name) => runModelsTest(options, name, output)));
}

/** A model that has to be loaded first takes its time. */
const timeoutMs = 120_000;

/** `pincer models test <name>`: asks a model for one word, and says how long that took or why there is no answer. */
async function runModelsTest(options: CliOptions, name: string, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const { testModel } = await import('../../runtime/index.ts');
    const model = await runtime.models.open(name, resolve(options.workspace));
    const trial = await testModel(model, runtime.host.clock, AbortSignal.timeout(timeoutMs));
    const { provider, model: id } = model.info;
    if (options.json === true) output.out(toJson({ provider, model: id, ...trial }));
    else {
      const times = `first word after ${seconds(trial.firstMs)}, all after ${seconds(trial.totalMs)}`;
      output.out(
        `${inertFact(model.info.name)} answers: “${truncate(inertFact(trial.text), 60)}” (${times})\n`,
      );
    }
    return exitCodes.ok;
  });
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
