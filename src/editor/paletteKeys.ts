import * as vscode from 'vscode';
import type { ApprovalRecord } from '../approvals/approvalBroker.ts';
import type { Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { createTimer } from '../base/createTimer.ts';
import type { OperatorHookRecord } from '../plugins/operatorHooks/operatorHookTypes.ts';
import type { PluginRecord } from '../plugins/pluginTypes.ts';
import type { Runtime } from '../runtime/index.ts';
import type { ChatMemory } from './chat/chatMemory.ts';
import type { ContextKey } from './contextKeys.ts';
import { setContextKey } from './setContextKey.ts';
import type { LazyRuntime } from './lazyRuntime.ts';
import { canEnableHook, hasChangedHook } from './plugins/hookContext.ts';
import { withFixes } from './plugins/planFixes.ts';
import { pluginIs } from './plugins/pluginIs.ts';
import { readWaiting } from './steering/readWaiting.ts';

/** How long after a change the palette may still show what was there before. Milliseconds. */
const settleMs = 250;

/** Under this name the keys of the last window are kept: its palette is shown until the runtime has loaded. */
const remembered = 'pincer.paletteKeys';

interface Sources {
  readonly runtime: Runtime;
  readonly chats: Pick<ChatMemory, 'interrupted'>;
}

type Fact = (sources: Sources) => boolean | Promise<boolean>;

const plugin =
  (is: (record: PluginRecord) => boolean): Fact =>
  ({ runtime }) =>
    runtime.plugins.plugins().some(is);
const hook =
  (is: (record: OperatorHookRecord) => boolean): Fact =>
  ({ runtime }) =>
    runtime.plugins.operatorHooks.list().some(is);

/** A person answered what was to become of an edit. */
const isReviewed = ({ request, isAsked, by }: ApprovalRecord): boolean =>
  request.edits.length > 0 && isAsked && by !== 'timeout' && by !== 'cancel';

/** What there is to act on or was done, by the key that entries of the palette and steps of the walkthrough hang on. */
const facts = {
  'pincer.hasInterruptedTurn': async ({ chats }) => (await chats.interrupted()) !== undefined,
  'pincer.hasSessions': async ({ runtime }) => (await runtime.conversations.summaries()).length > 0,
  // A message and its answer.
  'pincer.hasAnswer': async ({ runtime }) =>
    (await runtime.conversations.summaries()).some(
      ({ kind, messageCount }) => kind === 'chat' && messageCount > 1,
    ),
  'pincer.canReadAloud': async ({ runtime }) =>
    runtime.plugins.speech.isThere() && (await runtime.conversations.summaries()).length > 0,
  'pincer.hasDamagedSessions': async ({ runtime }) =>
    (await runtime.conversations.summaries()).some(({ isDamaged }) => isDamaged === true),
  'pincer.hasWaitingMessages': async ({ runtime: { conversations } }) =>
    (await readWaiting(conversations, await conversations.summaries())).length > 0,
  'pincer.hasGrants': async ({ runtime }) => (await runtime.approvals.grants.list()).length > 0,
  'pincer.hasReviewed': ({ runtime }) => runtime.approvals.history().some(isReviewed),
  'pincer.hasCheckpoints': async ({ runtime }) => (await runtime.turns.checkpoints.list()).length > 0,
  'pincer.hasJobs': ({ runtime }) => runtime.tools.jobs.list().length > 0,
  'pincer.hasGateway': ({ runtime }) => runtime.gateway.status().state !== 'off',
  'pincer.hasMcpServers': ({ runtime }) => runtime.mcp.list().length > 0,
  'pincer.hasModels': ({ runtime }) => runtime.models.configured().length > 0,
  'pincer.hasFixes': ({ runtime }) =>
    withFixes(runtime.workspace.diagnostics(), runtime.plugins.plugins()).some(
      ({ fixes = [] }) => fixes.length > 0,
    ),
  'pincer.hasDisabledPlugins': plugin(pluginIs.off),
  'pincer.hasChangedPlugins': plugin(pluginIs.changed),
  'pincer.hasUndevelopedPlugins': plugin(pluginIs.undeveloped),
  'pincer.hasDevelopedPlugins': plugin(pluginIs.developing),
  'pincer.hasConsents': plugin(pluginIs.allowed),
  'pincer.hasInstalledPlugins': plugin(pluginIs.global),
  'pincer.hasAgentFile': async ({ runtime }) => (await runtime.plugins.dexto.agentFilePath()) !== undefined,
  'pincer.hasHooks': hook(() => true),
  'pincer.hasDisabledHooks': hook(canEnableHook),
  'pincer.hasChangedHooks': hook(hasChangedHook),
  'pincer.hasEnabledHooks': hook(({ status }) => status !== 'disabled'),
} satisfies Partial<Record<ContextKey, Fact>>;

type PaletteKey = keyof typeof facts;
const paletteKeys = Object.keys(facts) as readonly PaletteKey[];

/** Keeps the palette to what can do something: sets the keys above, those of the last window first. */
export function registerPaletteKeys(
  runtime: LazyRuntime,
  chats: Sources['chats'],
  memento: vscode.Memento,
  log: vscode.LogOutputChannel,
): Disposable {
  let shown: readonly PaletteKey[] = memento
    .get<readonly PaletteKey[]>(remembered, [])
    .filter((key) => paletteKeys.includes(key));
  for (const key of shown) setContextKey(key, true);

  let isFirst = true;
  const show = (next: readonly PaletteKey[]): void => {
    // Before the first look others may have set one of them, too.
    const changed = paletteKeys.filter((key) => isFirst || next.includes(key) !== shown.includes(key));
    isFirst = false;
    for (const key of changed) setContextKey(key, next.includes(key));
    shown = next;
    if (changed.length > 0) void memento.update(remembered, next);
  };
  const look = async (sources: Sources): Promise<void> => {
    const found = await Promise.all(
      paletteKeys.map(async (key) => {
        try {
          return await facts[key](sources);
        } catch (error) {
          log.warn(`${key}: ${errorMessage(error)}`);
          // The command itself says what is wrong.
          return true;
        }
      }),
    );
    show(paletteKeys.filter((_, index) => found[index]));
  };

  return runtime.whenLoaded((loaded) => {
    const sources = { runtime: loaded, chats };
    let isLooking = false;
    /** One look at a time; what changes meanwhile is looked at once more. */
    const timer = createTimer(settleMs, () => {
      if (isLooking) {
        timer.start();
        return;
      }
      isLooking = true;
      void look(sources).finally(() => {
        isLooking = false;
      });
    });
    timer.start();
    const heard = [
      loaded.workspace.onDidChange,
      loaded.conversations.onDidChange,
      loaded.approvals.onDidChange,
      loaded.approvals.grants.onDidChange,
      loaded.tools.jobs.onDidChange,
    ].map((event) => event(timer.start));
    return vscode.Disposable.from(...heard, timer);
  });
}
