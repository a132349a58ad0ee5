import * as vscode from 'vscode';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { modelFailure } from '../../models/modelFailure.ts';

const pickAnother = 'Pick another model in the chat input.';

/** What a failing model of another extension means; VS Code has three codes of its own, and the rest is text. */
export function toModelError(name: string, error: unknown, hadImages: boolean): PincerError {
  const said = errorMessage(error);
  const code = error instanceof vscode.LanguageModelError ? error.code : '';
  const fail = (modelCode: string, what: string, hint: string): PincerError =>
    modelFailure(modelCode, `${name} ${what}: ${said}`, { hint, cause: error });
  if (code === 'NoPermissions') {
    return modelFailure('model_unauthorized', `VS Code did not let Pincer use ${name}.`, {
      hint: 'Allow it when VS Code asks, or pick another model.',
      cause: error,
    });
  }
  if (code === 'NotFound') return fail('model_gone', 'is no longer there', pickAnother);
  if (/context|too long|token limit|max(?:imum)?[ _]tokens/iu.test(said))
    return fail(
      'model_context_overflow',
      'can not read that much',
      'Run /compact, or pick a model that reads more.',
    );
  if (/rate.?limit|too many requests/iu.test(said))
    return fail('model_rate_limited', 'limits the rate of requests', 'Wait a moment, or pick another model.');
  if (code === 'Blocked' || /quota|exceeded|billing/iu.test(said))
    return fail('model_quota', 'may not be used any more for now', pickAnother);
  if (/filtered|content policy|responsible ai/iu.test(said))
    return fail('model_refused', 'refused to answer', 'Say it differently, or pick another model.');
  const hint = hadImages
    ? 'The request holds an image: pick a model that reads images, or leave it out.'
    : 'Try again, or pick another model.';
  return fail('model_unavailable', 'failed', hint);
}

/** How an extension that uses one of our models learns what went wrong: VS Code's code, our words and hint. */
export function toEditorError(error: unknown): Error {
  if (!(error instanceof PincerError)) return error instanceof Error ? error : new Error(errorMessage(error));
  const { code, message, hint } = error;
  const text = hint === undefined ? message : `${message} ${hint}`;
  if (code === 'model_no_key' || code === 'model_unauthorized')
    return vscode.LanguageModelError.NoPermissions(text);
  if (code === 'model_quota' || code === 'model_rate_limited') return vscode.LanguageModelError.Blocked(text);
  if (code === 'model_gone' || code === 'model_unknown') return vscode.LanguageModelError.NotFound(text);
  return new Error(text, { cause: error });
}
