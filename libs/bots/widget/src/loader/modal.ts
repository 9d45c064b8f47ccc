/**
 * While the panel covers the whole screen, the page behind it receives no focus, clicks or scrolling. The returned
 * function restores the page.
 */
export function createModal() {
  let undo: (() => void) | null = null;
  return (isModal: boolean): void => {
    if (isModal === !!undo) return;
    if (undo) {
      undo();
      undo = null;
      return;
    }
    const { body, documentElement } = document;
    const { style } = documentElement;
    const wasInert = body.inert;
    const overflow = style.getPropertyValue('overflow');
    const priority = style.getPropertyPriority('overflow');
    body.inert = true;
    style.setProperty('overflow', 'hidden', 'important');
    undo = () => {
      // The router of the page may have replaced the body.
      body.inert = wasInert;
      style.setProperty('overflow', overflow, priority);
      if (!documentElement.getAttribute('style')) documentElement.removeAttribute('style');
    };
  };
}
