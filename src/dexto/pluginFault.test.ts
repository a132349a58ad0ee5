import { expect, it } from 'vitest';
import * as storageErrors from './storage/storageErrors.ts';
import { readFault } from './pluginFault.ts';
import { readPluginAnswer } from './readPluginAnswer.ts';

const plugin = { redact: (text: string): string => text, blocking: true };
const said = 'what the user said';

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

it('tells no word of an error that the storage made of a key, where words may quote the conversation', () => {
  const fault = readFault(storageErrors.notJson(said, 'it is a function'), plugin);
  expect(fault.text).toContain(said);
  expect(fault.safeText).toBe('it gave the storage a value that is no JSON');
});

it('has words of its own for each error of the storage, whatever a plugin has written into it', () => {
  for (const make of Object.values(storageErrors)) {
    const error = (make as (...args: unknown[]) => Error)(said, said);
    error.message = said;
    const { safeText } = readFault(error, plugin);
    expect(safeText, error.name).toMatch(/storage|stored/u);
    expect(safeText).not.toContain(said);
  }
});

it("tells what is wrong with a plugin's answer in the host's words", () => {
  const error = thrownBy(() => readPluginAnswer('fine', 'beforeLLMRequest', plugin));
  expect(readFault(error, plugin).safeText).toContain('it returned a string in place of { ok }');
});

it('tells nothing but the class of an error whose code a plugin has made up', () => {
  const error = Object.assign(storageErrors.storageClosed(), { code: said, message: said });
  expect(readFault(error, plugin).safeText).toBe('PincerError');
});
