import type * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import type { Model } from '../../contracts/model.ts';
import type { Runtime } from '../../runtime/index.ts';
import { createEditorModel } from './editorModel.ts';
import { refOfModelId, vendor } from './modelIds.ts';

/**
 * The model for a turn: the one picked in the panel. Ours are asked directly; "automatic" means the config's default, and
 * the built-in one where there is none; anybody else's go through VS Code.
 */
export function chooseModel(runtime: Runtime, picked: vscode.LanguageModelChat): Model {
  if (picked.vendor !== vendor) return createEditorModel(picked);
  const ref = refOfModelId(picked.id);
  if (ref === undefined) return runtime.models.default();
  const model = runtime.models.get(ref);
  if (model !== undefined) return model;
  // Another model in its place might send the workspace somewhere the user did not choose.
  throw new PincerError('model_unknown', `The model ${picked.id} is no longer configured.`, {
    hint: 'Pick another model in the chat input.',
  });
}
