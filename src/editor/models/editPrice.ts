import * as vscode from 'vscode';
import type { ModelCost, ModelInfo } from '../../contracts/model.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { ModelTarget } from '../commandTable.ts';
import { noIcons } from '../memory/hitItems.ts';
import { describePrice } from './describeListedModel.ts';
import { readPrice } from './readPrice.ts';
import { askSteps, inputStep, listStep, type StepAnswer } from './steps.ts';

/** What was answered so far. `null`: the user left the box empty. */
interface Draft {
  readonly model?: ModelInfo;
  readonly input?: number | null;
  readonly output?: number;
  readonly cacheRead?: number | null;
}

/**
 * Asks what a model of the config costs, one box for each number, and writes it there; an empty first box says that the price is
 * unknown. Gives what to tell the user; undefined where they left.
 */
export async function editPriceFlow(
  runtime: { readonly models: Pick<Runtime['models'], 'configured' | 'setCost'> },
  target: ModelTarget,
): Promise<string | undefined> {
  const models = runtime.models.configured();
  if (models.length === 0)
    return vscode.l10n.t('There is no model in your config. Add one with Pincer: Add Model….');
  const named = models.find((model) => refOf(model) === target?.model);
  const draft = await askSteps<Draft>(named === undefined ? {} : { model: named }, (each, canGoBack) =>
    nextStep(models, each, canGoBack),
  );
  if (draft?.model === undefined) return undefined;
  const cost = toCost(draft);
  await runtime.models.setCost(draft.model, cost);
  const { name } = draft.model;
  return cost === undefined
    ? vscode.l10n.t('{0} has no price now: costs are shown as unknown.', name)
    : vscode.l10n.t('{0}: {1} per million tokens.', name, describePrice(cost));
}

/** What is missing decides what is asked; undefined once nothing is. */
function nextStep(
  models: readonly ModelInfo[],
  draft: Draft,
  canGoBack: boolean,
): Promise<StepAnswer<Draft>> | undefined {
  const { model, input, output, cacheRead } = draft;
  if (model === undefined) return pickModel(models, canGoBack);
  const { name, cost } = model;
  if (input === undefined) {
    return priceStep({
      title: vscode.l10n.t('Price of {0}: input (1 of 3)', name),
      prompt: vscode.l10n.t('US dollars per million input tokens. Leave it empty if you do not know.'),
      value: cost?.input,
      canGoBack,
      accept: (price) => ({ ...draft, input: price }),
    });
  }
  if (input === null) return undefined;
  if (output === undefined) {
    return priceStep({
      title: vscode.l10n.t('Price of {0}: output (2 of 3)', name),
      prompt: vscode.l10n.t('US dollars per million output tokens'),
      value: cost?.output,
      canGoBack,
      accept(price) {
        if (price === null) throw new Error(vscode.l10n.t('Enter the price of the output, 0 if it is free.'));
        return { ...draft, output: price };
      },
    });
  }
  if (cacheRead !== undefined) return undefined;
  return priceStep({
    title: vscode.l10n.t('Price of {0}: cached input (3 of 3)', name),
    prompt: vscode.l10n.t(
      'US dollars per million input tokens read from the cache. Leave it empty if they cost the same.',
    ),
    value: cost?.cacheRead,
    canGoBack,
    accept: (price) => ({ ...draft, cacheRead: price }),
  });
}

async function pickModel(models: readonly ModelInfo[], canGoBack: boolean): Promise<StepAnswer<Draft>> {
  const answer = await listStep<ModelInfo>({
    title: vscode.l10n.t('Price of a model'),
    placeholder: vscode.l10n.t('Which model?'),
    canGoBack,
    rows: () =>
      models.map((model) => ({
        label: noIcons(model.name),
        description: noIcons(refOf(model)),
        detail: model.cost === undefined ? vscode.l10n.t('no price') : describePrice(model.cost),
        value: model,
      })),
  });
  if (answer === undefined || answer === 'back') return answer;
  const [model] = answer.value;
  return model === undefined ? undefined : { value: { model } };
}

interface PriceStep {
  readonly title: string;
  readonly prompt: string;
  readonly value: number | undefined;
  readonly canGoBack: boolean;
  /** `null` for an empty box. */
  readonly accept: (price: number | null) => Draft;
}

async function priceStep({ value, accept, ...step }: PriceStep): Promise<StepAnswer<Draft>> {
  return await inputStep<Draft>({
    ...step,
    placeholder: '0.25',
    ...(value === undefined ? {} : { value: String(value) }),
    accept(text) {
      if (text === '') return accept(null);
      const price = readPrice(text);
      if (price === undefined) throw new Error(vscode.l10n.t('Enter a number of US dollars, such as 0.25.'));
      return accept(price);
    },
  });
}

function toCost({ model, input, output, cacheRead }: Draft): ModelCost | undefined {
  if (typeof input !== 'number' || output === undefined) return undefined;
  const cacheWrite = model?.cost?.cacheWrite;
  return {
    input,
    output,
    ...(typeof cacheRead === 'number' ? { cacheRead } : {}),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

function refOf({ provider, model }: ModelInfo): string {
  return `${provider}/${model}`;
}
