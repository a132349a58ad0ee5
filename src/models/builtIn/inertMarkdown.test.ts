import { describe, expect, it } from 'vitest';
import { fenced, inertLink, inertProse, inlineCode } from './inertMarkdown.ts';

describe('inertMarkdown', () => {
  it('shows a name as code, whatever is in it', () => {
    expect(inlineCode('read')).toBe('`read`');
    expect(inlineCode('a`b](command:x)\n')).toBe("`a'b](command:x)`");
  });

  it('shows prose literally, on one line', () => {
    expect(inertProse('=== a')).toBe(String.raw`\=== a`);
    expect(inertProse('*a*\n<b> [c](d) \u202Ee')).toBe(String.raw`\*a\* \<b\> \[c\]\(d\) e`);
  });

  it('gives code a fence that is longer than any inside', () => {
    expect(fenced(['a', '```', '`````x'])).toBe('``````\na\n```\n`````x\n``````');
    expect(fenced([])).toBe('```\n```');
  });

  it('lets no carriage return or hidden character out of the fence, and keeps tabs', () => {
    expect(fenced(['\ta\r[x](command:y)\u202Eb\u0000'])).toBe('```\n\ta[x](command:y)b\n```');
  });

  it('encodes what could end the target of a link', () => {
    expect(inertLink('a [b]', 'file:///x (1)<2>"\\.md#L3')).toBe(
      String.raw`[a \[b\]](file:///x%20%281%29%3C2%3E%22%5C.md#L3)`,
    );
  });
});
