// Threat: a step stands in the answer as something that has happened. Whoever else may invoke the tool below, such as another
// extension or a model of it, must not be able to place text or links there.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord } from '../../base/json.ts';

/** Steps of the panel: each call that has ended is one. */
export interface CallSteps extends Disposable {
  /** Adds a step to the answer that the token belongs to. Rejects where the panel takes none, such as after a stop. */
  add(text: vscode.MarkdownString, token: vscode.ChatParticipantToolToken): Promise<void>;
}

/** `package.json` contributes it: only contributed tools show as steps. */
const toolName = 'pincer_step';

/**
 * The panel shows the invocation of a tool as a step, with the text that it has before it runs. So the call has run long since, and
 * this tool only says how that went. Without a text of ours that waits for it, it does nothing.
 */
export function registerCallSteps(): CallSteps {
  const waiting = new Map<string, vscode.MarkdownString>();
  const textOf = (input: unknown): vscode.MarkdownString | undefined =>
    isRecord(input) && typeof input['step'] === 'string' ? waiting.get(input['step']) : undefined;
  const tool = vscode.lm.registerTool<unknown>(toolName, {
    prepareInvocation({ input }) {
      const invocationMessage = textOf(input);
      return invocationMessage === undefined ? undefined : { invocationMessage };
    },
    invoke: () => new vscode.LanguageModelToolResult([]),
  });
  return {
    async add(text, toolInvocationToken) {
      const step = randomUUID();
      waiting.set(step, text);
      try {
        await vscode.lm.invokeTool(toolName, { input: { step }, toolInvocationToken });
      } finally {
        waiting.delete(step);
      }
    },
    dispose: () => void tool.dispose(),
  };
}
