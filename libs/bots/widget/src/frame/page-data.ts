import { PAGE_DATA_ID, ROOT_ID, type PageData } from '../protocol';

/** Reads the JSON block that the runtime writes into the page. Throws if the page has no such block. */
export function readPageData(page: Document): PageData {
  return JSON.parse(elementOf(page, PAGE_DATA_ID).textContent ?? '') as PageData;
}

export const rootOf = (page: Document): HTMLElement => elementOf(page, ROOT_ID);

function elementOf(page: Document, id: string): HTMLElement {
  const element = page.getElementById(id);
  if (!element) throw new Error(`This page has no element "${id}": open the chat at a URL of the bot runtime.`);
  return element;
}
