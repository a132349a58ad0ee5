import type { ModelCost, ModelInfo } from '../../contracts/model.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, toTable, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';

/** A model as `pincer models list --json` gives it. */
interface ListedModelInfo extends ModelInfo {
  /** What `--model` and the config take. */
  readonly id: string;
  readonly isDefault: boolean;
}

/** `pincer models list`: every model that can be asked, the default marked. No server is asked. */
export async function runModelsList(options: CliOptions, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, (runtime) => {
    const standard = runtime.models.default();
    const models = runtime.models.list().map((model): ListedModelInfo => ({
      ...model.info,
      id: nameOf(model.info),
      isDefault: model === standard,
    }));
    output.out(options.json === true ? toJson({ models }) : toTable(models.map(toRow)));
    return Promise.resolve(exitCodes.ok);
  });
}

function nameOf({ provider, model }: ModelInfo): string {
  return provider === 'pincer' && model === 'built-in' ? 'built-in' : `${provider}/${model}`;
}

/** Pure. */
export function toRow(model: ListedModelInfo): readonly string[] {
  const abilities = [
    model.toolCalling ? 'tools' : '',
    model.imageInput === true ? 'images' : '',
    model.thinking === true ? 'thinking' : '',
  ].filter((ability) => ability !== '');
  const facts = [
    model.detail ?? '',
    `${model.contextWindow.toLocaleString('en')} tokens`,
    ...abilities,
    costText(model.cost),
  ].filter((fact) => fact !== '');
  return [model.isDefault ? '*' : ' ', model.id, model.name, facts.join(', ')];
}

function costText(cost: ModelCost | undefined): string {
  return cost === undefined
    ? ''
    : `$${String(cost.input)} in, $${String(cost.output)} out per million tokens`;
}
