// Threat: what is rendered was written by models, plugins and files. No HTML of theirs gets through, no image is loaded (its address would
// carry what they know to a server), and a link is an attribute that the page hands on: it goes nowhere by itself.
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false, linkify: true }).disable('image');
/** Addresses of the web, commands of ours, and paths. */
markdown.validateLink = (address) => /^(?:https?:\/\/|command:|[^:]*$)/iu.test(address);

/** HTML of a text that others wrote, or of a line of our own. Icons of VS Code, `$(name)`, are not drawn here. */
export function renderMarkdown(text: string): string {
  return markdown.render(text);
}

/** The same of a line of our own. */
export function renderOwn(text: string): string {
  return markdown.render(text.replace(/(?<!\\)\$\([\w-]+\)\s?/gu, ''));
}
