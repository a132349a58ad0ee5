import { hookNames } from '../../../src/hooks/hookCatalog.ts';

/**
 * A plugin that listens to every hook and marks each call, `before_message_write` with the role of the message
 * and `tool_result_persist` with whether the tool had run. `answers`: by
 * hook, the body of a function of `event` whose result it answers with; a gate passes where there is none.
 */
export function recordHooks(answers: Readonly<Record<string, string>> = {}): string {
  const all = { before_agent_run: "return { outcome: 'pass' };", ...answers };
  return `
const answers = { ${Object.entries(all)
    .map(([hook, body]) => `${hook}: (event) => { ${body} }`)
    .join(', ')} };
module.exports = (api) => {
  for (const name of ${JSON.stringify(hookNames)}) {
    api.on(name, (event) => {
      const more = name === 'before_message_write' ? ' ' + event.message.role : event.isSynthetic === true ? ' (not run)' : '';
      mark(name + more);
      return answers[name]?.(event);
    });
  }
};`;
}

/** The user lets the plugin read what is said. */
export const recorderMayRead = {
  plugins: { entries: { recorder: { hooks: { allowConversationAccess: true } } } },
};
