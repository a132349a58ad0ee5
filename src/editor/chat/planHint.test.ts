import { describe, expect, it } from 'vitest';
import { PincerError } from '../../base/errors.ts';
import {
  contextOverflow,
  gone,
  malformed,
  offline,
  unauthorized,
  unavailable,
  type ModelServer,
} from '../../models/library/modelErrors.ts';
import { sessionRemoved, sessionTenantFixed, turnUnknown } from '../../sessions/sessionErrors.ts';
import { planButtons, planHint, type HintPlace } from './planHint.ts';

const server: ModelServer = {
  api: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:1/v1',
  subject: 'model x',
  hasKey: true,
  quote: (text) => text,
};
const place: HintPlace = { sessionId: 's', message: 'What now?' };

/** `text → command` of each link. */
function linksOf({ code, hint = '' }: PincerError, at = place): readonly string[] {
  const parts = planHint(code, hint, at);
  expect(parts.map(({ text }) => text).join('')).toBe(hint);
  return parts.flatMap(({ text, link }) => (link === undefined ? [] : [`${text} → ${link.command}`]));
}

describe('planHint', () => {
  it('links what a hint names, in the words of the hint', () => {
    expect(linksOf(unauthorized(server, ''))).toEqual(['Pincer: Add Model… → pincer.models.add']);
    expect(linksOf(gone(server, ''))).toEqual(['Pincer: Add Model… → pincer.models.add']);
    expect(linksOf(malformed(server, 'x'))).toEqual([
      'Send the message again → pincer.chat.sendAgain',
      'try another model → workbench.action.chat.openModelPicker',
    ]);
    expect(linksOf(contextOverflow(server, ''))).toEqual([
      '/compact → pincer.sessions.compact',
      'start a new session → pincer.session.new',
      'choose a model → workbench.action.chat.openModelPicker',
    ]);
  });

  it('gives a command what it needs, and makes no link where that is not there', () => {
    const again = planHint('model_unavailable', 'Try again.', place).find(({ link }) => link !== undefined);
    expect(again?.link?.argument).toEqual({ message: 'What now?' });
    expect(linksOf(unavailable(server, 'x'), { sessionId: 's' })).toEqual([]);
  });

  it('offers to try again where nobody listens, and reads no command into the address', () => {
    const local = { ...server, baseUrl: 'http://127.0.0.1:1/compact/model' };
    expect(linksOf(offline(local, ''))).toEqual(['Try again → pincer.chat.sendAgain']);
    const remote = { ...server, baseUrl: 'https://models.example/v1' };
    expect(linksOf(offline(remote, ''))).toEqual(['try again → pincer.chat.sendAgain']);
  });

  it('says “continue” where a limit asks for it', () => {
    const parts = planHint('time_limit', 'Send "continue" to go on, or raise x in your config.', place);
    expect(parts.flatMap(({ link }) => (link === undefined ? [] : [link]))).toEqual([
      { command: 'pincer.chat.sendAgain', argument: { message: 'continue' } },
      { command: 'pincer.config.openUser', argument: undefined },
    ]);
  });

  it('links the commands for a model that is gone, and what sends one', () => {
    const hint = 'Choose another one with /model, or /model default for that of the config.';
    const links = planHint('model_unknown', hint, place).flatMap(({ link }) => link?.argument ?? []);
    expect(links).toEqual([{ message: '/model' }, { message: '/model default' }]);
  });

  it('links commands and views by their names in every hint, and nothing else that others may have worded', () => {
    const hint = 'Pincer: Reload All Plugins, or look at the Sessions view; try again, start a new session.';
    expect(linksOf(new PincerError('agent_stopped', 'x', { hint }))).toEqual([
      'Pincer: Reload All Plugins → pincer.plugins.reloadAll',
      'Sessions view → pincer.sessions.focus',
    ]);
  });

  it('knows the hints of conversations that can not go on', () => {
    for (const error of [sessionRemoved('s'), sessionTenantFixed('s'), turnUnknown()])
      expect(linksOf(error)).toEqual([expect.stringMatching(/^Start a new .* → pincer\.session\.new$/u)]);
  });
});

describe('planButtons', () => {
  it('are the commands that a notification names', () => {
    expect(planButtons('There is none. Add one with Pincer: Add Model…')).toEqual([
      { title: 'Add Model…', command: 'pincer.models.add' },
    ]);
    expect(planButtons('Try again, or choose another model.')).toEqual([]);
  });
});
