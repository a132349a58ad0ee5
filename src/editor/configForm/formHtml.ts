import type { FormField, FormNode } from './formModel.ts';
import type { ShownSecret } from './formMessages.ts';
import type { RawValues } from './formValues.ts';
import { html, type Html } from '../../base/html.ts';
import { pageHtml, type WebviewPage } from '../webview/pageHtml.ts';

/** The form's looks: VS Code's own colours and fonts in every theme, high contrast included. */
const formStyles = `
  body { padding: 0 24px 32px; max-width: 720px; line-height: 1.45; background: var(--vscode-editor-background); }
  h1 { font-size: 1.5em; font-weight: 600; margin: 20px 0 4px; overflow-wrap: anywhere; }
  .about { color: var(--vscode-descriptionForeground); margin: 0 0 16px; overflow-wrap: anywhere; }
  .field { margin: 0 0 18px; }
  label, legend { font-weight: 600; overflow-wrap: anywhere; }
  fieldset { border: 0; border-left: 2px solid var(--vscode-panel-border); margin: 0 0 18px; padding: 0 0 0 14px; }
  legend { padding: 0; margin-bottom: 8px; }
  details { margin: 0 0 18px; }
  summary { cursor: pointer; margin-bottom: 12px; color: var(--vscode-textLink-foreground); }
  .help { color: var(--vscode-descriptionForeground); margin: 2px 0 4px; overflow-wrap: anywhere; }
  .required { color: var(--vscode-descriptionForeground); font-weight: normal; }
  input:not([type=checkbox]), select, textarea {
    box-sizing: border-box; width: 100%; padding: 4px 6px; border-radius: 2px;
    font-family: var(--vscode-font-family); font-size: var(--vscode-font-size);
    color: var(--vscode-input-foreground); background: var(--vscode-input-background);
    border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, var(--vscode-panel-border)));
  }
  select { color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background); }
  input[inputmode=decimal] { max-width: 180px; }
  textarea { resize: vertical; min-height: 4.5em; }
  textarea.json { font-family: var(--vscode-editor-font-family); }
  ::placeholder { color: var(--vscode-input-placeholderForeground); }
  :focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
  [aria-invalid=true]:not([type=checkbox]) { border-color: var(--vscode-inputValidation-errorBorder); }
  .check { display: flex; align-items: baseline; gap: 8px; }
  .clear { margin-top: 4px; font-weight: normal; }
  .clear label { font-weight: normal; }
  .message { color: var(--vscode-errorForeground); margin: 3px 0 0; }
  .buttons { display: flex; flex-wrap: wrap; gap: 8px; margin: 24px 0 0; }
  button {
    padding: 5px 14px; border-radius: 2px; cursor: pointer; font: inherit;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground);
  }
  button:hover { background: var(--vscode-button-secondaryHoverBackground); }
  button[type=submit] { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
  button[type=submit]:hover { background: var(--vscode-button-hoverBackground); }
  button:focus-visible { outline-offset: 2px; }
  #verdict {
    margin: 16px 0; padding: 8px 12px; border: 1px solid var(--vscode-inputValidation-infoBorder);
    background: var(--vscode-inputValidation-infoBackground); overflow-wrap: anywhere;
  }
  #verdict p { margin: 0; }
  #verdict ul { margin: 4px 0 0; padding-left: 20px; }
  #verdict.warn { border-color: var(--vscode-inputValidation-warningBorder); background: var(--vscode-inputValidation-warningBackground); }
  #verdict.error { border-color: var(--vscode-inputValidation-errorBorder); background: var(--vscode-inputValidation-errorBackground); }
  [hidden] { display: none !important; }
`;

/** The words of the form, in the user's language. */
export interface FormTexts {
  readonly save: string;
  readonly reset: string;
  readonly openConfig: string;
  readonly advanced: string;
  readonly required: string;
  /** `Default: {0}` */
  readonly defaultIs: (value: string) => string;
  readonly noChoice: string;
  readonly onePerLine: string;
  readonly asJson: string;
  readonly clear: string;
  readonly noSettings: string;
}

interface FormPage extends Omit<WebviewPage, 'styles'> {
  readonly about: string;
  readonly nodes: readonly FormNode[];
  readonly values: RawValues;
  readonly secrets: Readonly<Record<string, ShownSecret>>;
  readonly texts: FormTexts;
}

/** The whole page. Pure. */
export function formHtml(page: FormPage): string {
  const { texts, nodes } = page;
  const hasSettings = nodes.length > 0;
  const body = hasSettings ? level(page, nodes) : html`<p>${texts.noSettings}</p>`;
  const buttons = hasSettings
    ? html`<button type="submit" id="save">${texts.save}</button>
        <button type="button" id="reset">${texts.reset}</button>`
    : html``;
  return pageHtml(
    { ...page, styles: formStyles },
    html`<main>
      <h1>${page.title}</h1>
      <p class="about">${page.about}</p>
      <div id="verdict" role="status" aria-live="polite" hidden></div>
      <form novalidate>
        ${body}
        <div class="buttons">
          ${buttons}
          <button type="button" id="open-config">${texts.openConfig}</button>
        </div>
      </form>
    </main>`,
  );
}

/** The settings of one level: first those everybody needs, then the others, folded. */
function level(page: FormPage, nodes: readonly FormNode[]): readonly Html[] {
  const plain = nodes.filter((node) => !node.isAdvanced).map((node) => nodeHtml(page, node));
  const advanced = nodes.filter((node) => node.isAdvanced).map((node) => nodeHtml(page, node));
  if (advanced.length === 0) return plain;
  return [
    ...plain,
    html`<details>
      <summary>${page.texts.advanced}</summary>
      ${advanced}
    </details>`,
  ];
}

function nodeHtml(page: FormPage, node: FormNode): Html {
  if (node.kind === 'field') return fieldHtml(page, node);
  return html`<fieldset>
    <legend>${node.label}</legend>
    ${node.help === undefined ? [] : [html`<p class="help">${node.help}</p>`]} ${level(page, node.nodes)}
  </fieldset>`;
}

function fieldHtml(page: FormPage, field: FormField): Html {
  const { texts } = page;
  const { id } = field;
  const required = field.isRequired ? [html` <span class="required">(${texts.required})</span>`] : [];
  const label = html`<label for="${id}">${field.label}</label>${required}`;
  const note = [field.help, noteOf(field, texts)].filter((each) => each !== undefined).join(' ');
  const help = html`<p class="help" id="${id}-help">${note}</p>`;
  const message = html`<p
    class="message"
    id="${id}-message"
    role="alert"
    data-message="${field.id}"
    hidden
  ></p>`;
  const control = controlHtml(page, field, id);
  return field.control === 'checkbox'
    ? html`<div class="field">
        <div class="check">${control} <span>${label}</span></div>
        ${help}${message}
      </div>`
    : html`<div class="field">${label}${help}${control}${message}</div>`;
}

function noteOf(field: FormField, texts: FormTexts): string | undefined {
  const { control, placeholder } = field;
  // The placeholder of a control says its default; where the plugin has words of its own there, the default stands here.
  if (placeholder !== undefined && field.default !== undefined) return texts.defaultIs(shown(field.default));
  if (control === 'lines') return texts.onePerLine;
  return control === 'json' ? texts.asJson : undefined;
}

function controlHtml(page: FormPage, field: FormField, id: string): Html {
  const value = page.values[field.id] ?? '';
  const text = typeof value === 'string' ? value : '';
  const common = attributes(field, id);
  const placeholder = html`placeholder="${placeholderOf(page, field)}"`;
  switch (field.control) {
    case 'checkbox': {
      const checked = value === true ? html`checked` : html``;
      const isOn = field.default === true ? 'on' : 'off';
      return html`<input type="checkbox" ${common} data-default="${isOn}" ${checked} />`;
    }
    case 'choice':
      return html`<select ${common}>
        ${choicesHtml(page, field, text)}
      </select>`;
    case 'lines':
      // A line break right after the tag is not part of the text, so one that is has to be written twice.
      return html`<textarea rows="4" spellcheck="false" ${common} ${placeholder}>${text}</textarea>`;
    case 'json':
      return html`<textarea rows="6" class="json" spellcheck="false" ${common} ${placeholder}>
${text}</textarea>`;
    case 'secret':
      return secretHtml(page, field, html`${common} ${placeholder}`, id);
    case 'number':
      return html`<input type="text" inputmode="decimal" value="${text}" ${common} ${placeholder} />`;
    case 'text':
      return html`<input type="text" value="${text}" spellcheck="false" ${common} ${placeholder} />`;
  }
}

function attributes(field: FormField, id: string): Html {
  const required = field.isRequired && field.control !== 'checkbox' ? html`aria-required="true"` : html``;
  return html`id="${id}" data-field="${field.id}" aria-describedby="${id}-help ${id}-message" ${required}`;
}

function secretHtml(page: FormPage, field: FormField, attributes: Html, id: string): Html {
  const hidden = page.secrets[field.id]?.canClear === true ? html`` : html`hidden`;
  return html`<input type="password" autocomplete="off" ${attributes} />
    <div class="clear check" ${hidden}>
      <input type="checkbox" id="${id}-clear" data-clear="${field.id}" />
      <label for="${id}-clear">${page.texts.clear}</label>
    </div>`;
}

function choicesHtml(page: FormPage, field: FormField, chosen: string): readonly Html[] {
  const none = field.default === undefined ? page.texts.noChoice : page.texts.defaultIs(shown(field.default));
  return [
    html`<option value="">${none}</option>`,
    ...field.choices.map((choice, index) => {
      const selected = String(index) === chosen ? html`selected` : html``;
      return html`<option value="${index}" ${selected}>${shown(choice)}</option>`;
    }),
  ];
}

function placeholderOf(page: FormPage, field: FormField): string {
  const secret = page.secrets[field.id];
  if (secret !== undefined && secret.placeholder !== '') return secret.placeholder;
  if (field.placeholder !== undefined) return field.placeholder;
  return field.default === undefined ? '' : page.texts.defaultIs(shown(field.default));
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
