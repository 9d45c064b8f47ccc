/** Keeps the chat above the keyboard where the browser lays the keyboard over the page instead of resizing it. */
export function fitToKeyboard(): void {
  const viewport = window.visualViewport;
  if (!viewport) return;
  const fit = () => {
    // While the visitor has zoomed in, the visible part is theirs to choose.
    const isCovered = viewport.scale === 1 && window.innerHeight - viewport.height > 1;
    const style = document.documentElement.style;
    if (isCovered) style.setProperty('--height', `${viewport.height}px`);
    else style.removeProperty('--height');
  };
  viewport.addEventListener('resize', fit);
}
