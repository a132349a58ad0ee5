import { describe, expect, it } from 'vitest';
import { createTermReader } from './createTermReader.ts';

const reader = createTermReader();
const ofText = (text: string): string[] => reader.ofText(text);
const ofQuery = (query: string): string[] => reader.ofQuery(query);

describe('createTermReader', () => {
  it('gives lower-case stems of words', () => {
    expect(ofText('Approvals, and (Denied) ones!')).toEqual(['approv', 'and', 'deni', 'on']);
  });

  it.each([
    ['before_tool_call', ['befor', 'tool', 'call', 'before_tool_call']],
    ['registerTool', ['regist', 'tool', 'registertool']],
    ['HTTPServer2Go', ['http', 'server2', 'go', 'httpserver2go']],
    ['__proto__', ['proto']],
  ])('gives the parts of %s and itself', (text, terms) => {
    expect(ofText(text)).toEqual(terms);
  });

  it('gives characters and pairs of a run of Chinese, Japanese or Korean', () => {
    expect(ofText('你好世界')).toEqual(['你', '好', '世', '界', '你好', '好世', '世界']);
    expect(ofText('設定file')).toEqual(['設', '定', '設定', 'file']);
  });

  it('takes only the pairs of a query, but a single character as it is', () => {
    expect(ofQuery('世界')).toEqual(['世界']);
    expect(ofQuery('界')).toEqual(['界']);
  });

  it('takes different forms of one character as one', () => {
    expect(ofText('ｆｉｌｅ')).toEqual(ofText('file'));
    expect(ofText('cafe\u0301')).toEqual(ofText('café'));
  });

  it('gives nothing for a text without words', () => {
    expect(ofText('… — ?!')).toEqual([]);
  });
});
