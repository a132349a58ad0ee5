// The second half of the window's code: its own bundle, which loads with the runtime or with the first command that needs it, and
// not while the window starts (docs/architecture.md, What loads when). Import it with `import()`. What both halves need is in a third bundle.
export { toApprovalItem } from './approvals/approvalItems.ts';
export { chooseMode } from './approvals/setMode.ts';
export { activePlace, addToChat, askAbout } from './ask/askAbout.ts';
export { createChatView } from './chatView/createChatView.ts';
export { planFollowups } from './chat/followups.ts';
export { handleRequest } from './chat/handleRequest.ts';
export { pickTurn } from './checkpoints/pickTurn.ts';
export { restoreTurn } from './checkpoints/restoreTurn.ts';
export { completeConfig, describeConfigKey } from './configFile/completeConfig.ts';
export { channelFlows } from './channels/channelFlows.ts';
export { createGatewayBase } from './gateway/gatewayBase.ts';
export { createGatewayFlows } from './gateway/gatewayFlows.ts';
export { openForm } from './configForm/openForm.ts';
export { createMcpFlows } from './mcp/createMcpFlows.ts';
export { addModel } from './models/addModelFlow.ts';
export { fromEditorMessages } from './models/fromEditorMessages.ts';
export { editPriceFlow } from './models/editPrice.ts';
export { signInFlow } from './models/signIn.ts';
export { openEditorRuntime } from './openEditorRuntime.ts';
export { applyPluginFix, pickFix } from './plugins/applyPluginFix.ts';
export { enablePlugin } from './plugins/enablePlugin.ts';
export { pointTooltip } from './plugins/dextoItems.ts';
export { installPluginFlow } from './plugins/installPluginFlow.ts';
export { newPluginFlow } from './plugins/newPluginFlow.ts';
export * as pluginRows from './plugins/pluginRows.ts';
export { toPluginItem } from './plugins/pluginItem.ts';
export { scheduleFlows } from './schedule/scheduleFlows.ts';
export { renderPromptReport } from '../agent/prompt/renderPromptReport.ts';
export { openTerminal, pickCommand, shownCall, shownJob } from './jobs/shownCommands.ts';
export { tryCommand } from './tools/tryCommand.ts';
export { excludeFile } from './memory/excludeFile.ts';
export { openSearch } from './memory/openSearch.ts';
export { toMemoryItem } from './memory/memoryItem.ts';
export { nameCall, readCall } from './runs/readCall.ts';
export { openRunPanel } from './runs/openRunPanel.ts';
export { resumeInNewChat, sendWaiting } from './sessions/resumeSession.ts';
export { searchFlow } from './sessions/searchFlow.ts';
export { toToolItem } from './tools/toolItem.ts';
export { showStatusMenu } from './statusMenu.ts';
export { compactFlow } from './sessions/compactFlow.ts';
export {
  deleteSession,
  editPluginState,
  exportSession,
  forkSession,
  forkSessionBeforeTurn,
  renameSession,
  repairSession,
} from './sessions/sessionActions.ts';
