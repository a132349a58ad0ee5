import { expect, it } from 'vitest';
import { PincerError } from '../base/errors.ts';
import { DextoPluginError, DextoRuntimeError, DextoValidationError } from './dextoErrors.ts';
import { httpStatusOf, httpStatusOfError } from './httpStatus.ts';
import type { PluginNotice } from './dextoTypes.ts';

const stoppedBy = (code: string): PincerError =>
  new PincerError('agent_stopped', 'The agent does not run.', { cause: new PincerError(code, 'x') });

const notice = (code?: string): PluginNotice => ({
  kind: 'block',
  message: '',
  ...(code === undefined ? {} : { code }),
});

it.each([
  [['QUOTA_EXCEEDED'], 429],
  [['TOOL_NOT_ALLOWED'], 403],
  [['UNAUTHORIZED'], 401],
  [['INPUT_TOO_LONG'], 403],
  [[undefined], 403],
  [[], 403],
  [['OTHER', 'UNAUTHORIZED', 'QUOTA_EXCEEDED'], 401],
] as const)('gives a block with the codes %j the status %d: the first known one counts', (codes, status) => {
  const notices = codes.map((code) => notice(code));
  expect(httpStatusOf(notices)).toBe(status);
  const context = { plugin: 'p', extensionPoint: 'beforeToolCall', notices } as const;
  expect(httpStatusOfError(new DextoPluginError('No.', context))).toBe(status);
});

it.each([
  [new DextoValidationError('The agent file is broken.'), 400],
  [new DextoRuntimeError('No such plugin.', { type: 'PLUGIN_LOAD_FAILED' }), 500],
  [new DextoPluginError('No.', { plugin: 'p', extensionPoint: 'beforeResponse' }), 403],
  [new Error('boom'), 500],
  [new PincerError('agent_file_invalid', 'It is no agent file.'), 400],
  [stoppedBy('plugin_duplicate_priority'), 400],
  [stoppedBy('plugin_load_failed'), 500],
])('gives %s the status %d', (error, status) => {
  expect(httpStatusOfError(error)).toBe(status);
});

it('names code, cause and context under the names of the spec', () => {
  const cause = new Error('no such file');
  const error = new DextoRuntimeError('It is gone.', {
    type: 'PLUGIN_LOAD_FAILED',
    cause,
    context: { plugin: 'p' },
  });
  expect(error).toMatchObject({
    name: 'DextoRuntimeError',
    type: 'PLUGIN_LOAD_FAILED',
    code: 'PLUGIN_LOAD_FAILED',
    cause,
    context: { plugin: 'p' },
  });
  expect(new DextoValidationError('x')).toMatchObject({
    name: 'DextoValidationError',
    type: 'PLUGIN_CONFIGURATION_INVALID',
  });
  expect(new DextoValidationError('x')).toBeInstanceOf(DextoRuntimeError);
  expect(new DextoPluginError('x', { plugin: 'p', extensionPoint: 'beforeToolCall' })).toMatchObject({
    name: 'DextoPluginError',
    code: 'PLUGIN_BLOCKED_EXECUTION',
  });
});
