import type { LauncherTexts } from '../protocol';
import { onBrand } from '../brand-color';
import css from './loader.css';

const SVG = 'http://www.w3.org/2000/svg';
const CHAT = 'M12 3c5 0 9 3.6 9 8.2s-4 8.2-9 8.2c-1 0-2-.1-2.9-.4L4.5 21l1-4.1A7.6 7.6 0 0 1 3 11.2C3 6.6 7 3 12 3z';
const CLOSE = 'M6 6l12 12M18 6L6 18';

/** `!important` in the style of the element overrides every rule of the host page. */
const HOST_STYLE = {
  all: 'initial',
  position: 'fixed',
  width: '0',
  height: '0',
  'z-index': '2147483647',
};

export type View = ReturnType<typeof createView>;

/** All elements on the host page, in one shadow root. Text is never inserted as markup. */
export function createView(side: 'left' | 'right') {
  const teaserText = element('span', { dir: 'auto' });
  const bubble = element('button', { class: 'bubble' }, teaserText);
  const dismiss = element('button', { class: 'dismiss' }, icon(CLOSE));
  const teaser = element('div', { class: 'teaser', hidden: '' }, bubble, dismiss);

  const badge = element('span', { class: 'badge', hidden: '' });
  const launcher = element('button', { class: 'launcher', 'aria-haspopup': 'dialog' }, icon(CHAT), icon(CLOSE), badge);

  const title = element('span', { dir: 'auto' });
  const close = element('button', {}, icon(CLOSE));
  const wait = element('div', { class: 'wait' });
  const words = element('div', { role: 'status' });
  const link = element('a', { class: 'link', target: '_blank', rel: 'noopener' });
  const retry = element('button', { class: 'retry' });
  const cover = element(
    'div',
    { class: 'cover', hidden: '' },
    element('div', { class: 'bar' }, title, close),
    element('div', { class: 'body' }, wait, words, link, retry),
  );
  const panel = element('div', { class: 'panel', role: 'dialog', tabindex: '-1' }, cover);
  const status = element('div', { class: 'status', role: 'status' });
  const root = element('div', { class: `root ${side}` }, teaser, launcher, panel, status);

  const host = element('heliograph-widget', {});
  for (const [name, value] of Object.entries(HOST_STYLE)) host.style.setProperty(name, value, 'important');
  const shadow = host.attachShadow({ mode: 'open' });
  adoptStyle(shadow);
  shadow.append(root);

  return {
    host,
    root,
    teaser,
    bubble,
    teaserText,
    dismiss,
    launcher,
    badge,
    panel,
    title,
    close,
    link,
    retry,
    status,
    /** Sets the color, a valid `#rgb` or `#rrggbb`. */
    paint(color: string): void {
      const { surface, ink } = onBrand(color);
      root.style.setProperty('--accent', surface);
      root.style.setProperty('--ink', ink);
    },
    /** `failed` shows the link to the hosted page instead of the loading indicator. */
    showCover(state: 'none' | 'loading' | 'failed', texts: LauncherTexts): void {
      const hasFailed = state === 'failed';
      cover.hidden = state === 'none';
      wait.hidden = hasFailed;
      link.hidden = retry.hidden = !hasFailed;
      words.textContent = hasFailed ? texts.failed : texts.loading;
    },
  };
}

/** A constructed style sheet needs no style-src of the page. Browsers without support get a style element. */
function adoptStyle(shadow: ShadowRoot): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    shadow.adoptedStyleSheets = [sheet];
  } catch {
    shadow.append(element('style', {}, css));
  }
}

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag];
function element(tag: string, attributes: Record<string, string>, ...children: (Node | string)[]): HTMLElement;
function element(tag: string, attributes: Record<string, string>, ...children: (Node | string)[]): HTMLElement {
  return fill(document.createElement(tag), attributes, children);
}

function icon(path: string): Element {
  return fill(document.createElementNS(SVG, 'svg'), { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, [
    fill(document.createElementNS(SVG, 'path'), { d: path }, []),
  ]);
}

function fill<E extends Element>(made: E, attributes: Record<string, string>, children: (Node | string)[]): E {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
