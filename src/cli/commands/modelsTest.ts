import { resolve } from 'node:path';
import { truncate } from '../../base/text.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertFact } from '../inert.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';

/** A model that has to be loaded first takes its time. */
const timeoutMs = 120_000;

/** `pincer models test <name>`: asks a model for one word, and says how long that took or why there is no answer. */
export async function runModelsTest(options: CliOptions, name: string, output: Output): Promise<ExitCode> {
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
