import { expect, it } from 'vitest';
import { planSetting } from './planSetting.ts';

it('reads a setting and its value, whatever the case and the sign between them', () => {
  expect(planSetting('Temperature 0.3')).toEqual({
    kind: 'change',
    name: 'temperature',
    change: { temperature: 0.3 },
  });
  expect(planSetting('thinking=HIGH')).toEqual({
    kind: 'change',
    name: 'thinking',
    change: { thinking: 'high' },
  });
  expect(planSetting('maxtokens: 4000')).toEqual({
    kind: 'change',
    name: 'maxTokens',
    change: { maxTokens: 4000 },
  });
});

it('default takes a setting back', () => {
  const plan = planSetting('thinking default');
  expect(plan.kind === 'change' && Object.entries(plan.change)).toEqual([['thinking', undefined]]);
});

it('nothing tells what is set; what is no setting or no value for it is refused', () => {
  expect(planSetting(' ')).toEqual({ kind: 'tell' });
  expect(planSetting('speed 3')).toEqual({ kind: 'unknown', name: 'speed' });
  for (const said of [
    'temperature',
    'temperature 2.1',
    'temperature -1',
    'temperature hot',
    'temperature 1 2',
  ])
    expect(planSetting(said)).toEqual({ kind: 'invalid', name: 'temperature' });
  expect(planSetting('maxTokens 1.5')).toEqual({ kind: 'invalid', name: 'maxTokens' });
  expect(planSetting('maxTokens 0')).toEqual({ kind: 'invalid', name: 'maxTokens' });
  expect(planSetting('thinking very')).toEqual({ kind: 'invalid', name: 'thinking' });
});
