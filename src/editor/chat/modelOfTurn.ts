import type * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import type { Model, ModelInfo } from '../../contracts/model.ts';
import { builtInModelInfo } from '../../models/builtIn/builtInModelInfo.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { chooseModel } from '../models/chooseModel.ts';
import { modelIdOf, refOfModelId, vendor } from '../models/modelIds.ts';

/** Who chose a model: the panel's picker, `/model`, a binding, the agent's part of the config, or the config's default. */
export type ModelSource = 'picker' | 'session' | 'binding' | 'agent' | 'config';

export interface ChosenModel {
  readonly model: Model;
  readonly source: ModelSource;
  /** What the config names and nobody has: this model stands in for it. */
  readonly missing?: string;
}

/**
 * The model for a turn. What the panel's picker shows comes first, since the user sees it there; its automatic entry, and a surface
 * without a picker, leave it to `/model`, then to the binding, to the agent and to the config.
 *
 * @throws PincerError `model_unknown`: another model in its place might send the workspace somewhere the user did not choose
 */
export function modelOfTurn(
  runtime: Runtime,
  session: Session,
  picked: vscode.LanguageModelChat | undefined,
): ChosenModel {
  if (picked !== undefined && !(picked.vendor === vendor && refOfModelId(picked.id) === undefined))
    return { model: chooseModel(runtime, picked), source: 'picker' };
  const chosen = runtime.conversations.modelOf(session);
  if (chosen !== undefined && chosen.source !== 'config')
    return { model: find(runtime, chosen.model), source: chosen.source };
  const isMissing = chosen !== undefined && runtime.models.find(chosen.model) === undefined;
  return {
    model: runtime.models.default(),
    source: 'config',
    ...(isMissing ? { missing: chosen.model } : {}),
  };
}

/**
 * Who carries out `/tool`: the built-in model, which calls what it is told to. The window is that of the model that answers else
 * (`inUse`, chosen by `source`), so that no conversation is shortened for it.
 */
export function modelOfToolCall(
  runtime: Runtime,
  session: Session,
  picked: vscode.LanguageModelChat | undefined,
): ChosenModel & { readonly inUse: ModelInfo } {
  const builtIn = find(runtime, modelIdOf(builtInModelInfo));
  const answering = answeringModel(runtime, session, picked);
  const inUse = answering?.model.info ?? builtIn.info;
  const contextWindow = Math.max(builtIn.info.contextWindow, inUse.contextWindow);
  const model = { ...builtIn, info: { ...builtIn.info, contextWindow } };
  return { model, source: answering?.source ?? 'config', inUse };
}

function answeringModel(
  runtime: Runtime,
  session: Session,
  picked: vscode.LanguageModelChat | undefined,
): ChosenModel | undefined {
  try {
    return modelOfTurn(runtime, session, picked);
  } catch (error) {
    // That no model can answer is no reason against calling a tool.
    if (error instanceof PincerError) return undefined;
    throw error;
  }
}

function find({ models }: Runtime, name: string): Model {
  const model = models.find(name);
  if (model !== undefined) return model;
  throw new PincerError('model_unknown', `The model ${name} is no longer configured.`, {
    hint: 'Choose another one with /model, or /model default for that of the config.',
  });
}
