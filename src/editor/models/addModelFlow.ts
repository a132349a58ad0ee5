import type { AddModelsInput, Runtime } from '../../runtime/index.ts';
import type { Draft, SetupRuntime, Step } from './draft.ts';
import { enterModelName, pickModels, tryModel } from './modelSteps.ts';
import { enterAddress, enterKey, pickLocalServer, pickProvider } from './serverSteps.ts';
import { askSteps } from './steps.ts';

/**
 * Provider, address, key, model: each step tests what it got before the next one opens, Back returns to the one before, and
 * nothing is written before the last. Gives the name of the model that is the default now; undefined where the user left.
 */
export async function addModelFlow(
  runtime: SetupRuntime & Pick<Runtime, 'addModels'>,
): Promise<string | undefined> {
  const draft = await askSteps<Draft>({}, (each, canGoBack) =>
    each.isTried === true ? undefined : stepFor(each)(runtime, each, canGoBack),
  );
  const complete = draft === undefined ? undefined : toInput(draft);
  return complete === undefined ? undefined : await runtime.addModels(complete);
}

/** What is missing decides what is asked. Pure. */
function stepFor({ isSearch, provider, server, wantsKey, byName, models }: Draft): Step {
  if (models !== undefined) return tryModel;
  if (byName === true) return enterModelName;
  if (isSearch === true && server === undefined) return pickLocalServer;
  if (provider === undefined) return pickProvider;
  if (server === undefined) return enterAddress;
  const needsKey = provider.needsKey || wantsKey === true;
  return needsKey && server.key === undefined ? enterKey : pickModels;
}

function toInput({ provider, server, models }: Draft): AddModelsInput | undefined {
  if (server === undefined || models === undefined) return undefined;
  const isKnown = provider?.baseUrl !== undefined;
  return { ...server, models, ...(isKnown ? { provider: provider.id } : {}) };
}
