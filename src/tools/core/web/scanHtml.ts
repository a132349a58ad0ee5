import { decodeHTMLAttribute } from 'entities/decode';
// Only what cuts: the library's parser takes seconds for tags that are nested deep.
import { Tokenizer } from 'htmlparser2';

/** A piece of HTML; comments, doctypes and the like are left out. */
type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: HtmlAttributes }
  | { readonly kind: 'close'; readonly name: string };

/** By name in lower case, with character references resolved; of several with one name the first. */
export type HtmlAttributes = ReadonlyMap<string, string>;

/** Most tags have none, and a map for each is dear. */
const noAttributes: HtmlAttributes = new Map();

/**
 * Cuts HTML into tags and text, in time that grows with its length alone: pages are written by strangers. Texts are as
 * written, character references included. A tag that never ends swallows the rest, as browsers have it.
 */
export function scanHtml(html: string): readonly HtmlToken[] {
  const tokens: HtmlToken[] = [];
  const text = { start: 0, end: 0 };
  let name = '';
  let attributes: Map<string, string> | undefined;
  let attribute = '';
  let value = '';
  const nameAt = (start: number, end: number): string => html.slice(start, end).toLowerCase();
  const endText = (): void => {
    if (text.end > text.start) tokens.push({ kind: 'text', text: html.slice(text.start, text.end) });
    text.start = text.end;
  };
  const open = (): void => {
    endText();
    tokens.push({ kind: 'open', name, attributes: attributes ?? noAttributes });
  };
  const leaveOut = (): void => undefined;
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      // A text comes in pieces wherever it holds a `<`.
      ontext(start, end) {
        if (start !== text.end) {
          endText();
          text.start = start;
        }
        text.end = end;
      },
      onopentagname(start, end) {
        name = nameAt(start, end);
        attributes = undefined;
      },
      onattribname(start, end) {
        attribute = nameAt(start, end);
        value = '';
      },
      onattribdata(start, end) {
        value = html.slice(start, end);
      },
      onattribend() {
        attributes ??= new Map();
        if (!attributes.has(attribute)) attributes.set(attribute, decodeHTMLAttribute(value));
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag(start, end) {
        endText();
        tokens.push({ kind: 'close', name: nameAt(start, end) });
      },
      onend: endText,
      oncomment: leaveOut,
      ondeclaration: leaveOut,
      onprocessinginstruction: leaveOut,
      oncdata: leaveOut,
      ontextentity: leaveOut,
      onattribentity: leaveOut,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return tokens;
}
