import type * as vscode from 'vscode';
import type { Model } from '../../contracts/model.ts';
import type { Runtime } from '../../runtime/index.ts';
import { createEditorModel } from './editorModel.ts';
import { modelIdOf, refOfModelId, vendor } from './modelIds.ts';

/**
 * The model for a turn: the one picked in the panel. Ours are asked directly; "automatic" means the config's default, and
 * the built-in one where there is none; anybody else's go through VS Code.
 */
export function chooseModel(runtime: Runtime, picked: vscode.LanguageModelChat): Model {
  if (picked.vendor !== vendor) return createEditorModel(picked);
  const ref = refOfModelId(picked.id);
  return ref === undefined ? runtime.defaultModel() : (runtime.models.get(ref) ?? runtime.defaultModel());
}

/** What `/status` says of it. */
export function describeModel(runtime: Runtime, picked: vscode.LanguageModelChat): string {
  const { info } = chooseModel(runtime, picked);
  return `${info.name} (${modelIdOf(info)})`;
}
