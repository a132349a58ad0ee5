import { expect, it } from 'vitest';
import { systemClock } from '../host/node/systemClock.ts';
import { createReplayModel } from '../models/replay/createReplayModel.ts';
import { completeText } from './completeText.ts';

const script = '{"expect": {"userText": "Name it"}, "text": "Fix the clock"}';
const model = createReplayModel({ script, name: 'title.jsonl', clock: systemClock });
const builtIn = createReplayModel({ script, name: 'built-in.jsonl', clock: systemClock });

it('gives a plugin one answer of the model that the user has chosen', async () => {
  const asked: (string | undefined)[] = [];
  const findModel = (name: string | undefined): typeof model => {
    asked.push(name);
    return model;
  };
  const request = { system: 'Be short.', prompt: 'Name it' };
  expect(await completeText({ clock: systemClock, findModel, builtIn }, request)).toMatchObject({
    text: 'Fix the clock',
    provider: model.info.provider,
  });
  expect(asked).toEqual([undefined]);
});

it('says what to do where there is no model a plugin can ask', async () => {
  const parts = { clock: systemClock, builtIn };
  const code = { code: 'plugin_model_missing' };
  await expect(completeText({ ...parts, findModel: () => builtIn }, { prompt: 'x' })).rejects.toMatchObject(
    code,
  );
  await expect(completeText({ ...parts, findModel: () => undefined }, { model: 'a/b' })).rejects.toThrow(
    '(a/b)',
  );
});
