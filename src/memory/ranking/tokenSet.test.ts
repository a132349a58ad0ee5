import { describe, expect, it } from 'vitest';
import { tokenSet } from './tokenSet.ts';

describe('tokenSet', () => {
  it('holds each word once, in lower case', () => {
    expect([...tokenSet('Set the KEY, set_it: the key2')]).toEqual(['set', 'the', 'key', 'set_it', 'key2']);
  });

  it('cuts Chinese, Japanese and Korean into characters and pairs', () => {
    expect([...tokenSet('设置密 v2')]).toEqual(['设', '置', '密', '设置', '置密', 'v2']);
    expect([...tokenSet('ab设置')]).toEqual(['ab', '设', '置', '设置']);
  });

  it('knows other alphabets', () => {
    expect([...tokenSet('Ключ für API')]).toEqual(['ключ', 'für', 'api']);
  });
});
