import type { ComponentChildren, JSX } from 'preact';

function Icon({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

export const SendIcon = () => (
  <Icon>
    <path d="M12 19V5M5.5 11.5 12 5l6.5 6.5" />
  </Icon>
);
export const EmojiIcon = () => (
  <Icon>
    <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 14.5a4.5 4.5 0 0 0 7 0M9 9.5h.01M15 9.5h.01" />
  </Icon>
);
export const CloseIcon = () => (
  <Icon>
    <path d="M6 6l12 12M18 6 6 18" />
  </Icon>
);
export const OptionsIcon = () => (
  <Icon>
    <path d="M5 12h.01M12 12h.01M19 12h.01" class="icon-dots" />
  </Icon>
);
export const DownIcon = () => (
  <Icon>
    <path d="M12 5v14M5.5 12.5 12 19l6.5-6.5" />
  </Icon>
);
export const ExpandIcon = () => (
  <Icon>
    <path d="M6 9.5l6 6 6-6" />
  </Icon>
);
export const DoneIcon = () => (
  <Icon>
    <path d="M5 12.5l4.5 4.5L19 7.5" />
  </Icon>
);
export const OfflineIcon = () => (
  <Icon>
    <path d="M3 3l18 18M8.5 16.5a5 5 0 0 1 7 0M5 13a10 10 0 0 1 5.2-2.8M19 13a10 10 0 0 0-3-2.1M2 9.5a15 15 0 0 1 4.7-2.9M22 9.5A15 15 0 0 0 11 5.6M12 20h.01" />
  </Icon>
);
export const StarIcon = () => (
  <svg class="star" viewBox="0 0 24 24" width="32" height="32" aria-hidden="true" focusable="false">
    <path d="M12 3.2l2.7 5.6 6.1.8-4.5 4.2 1.2 6.1L12 17l-5.5 2.9 1.2-6.1-4.5-4.2 6.1-.8z" />
  </svg>
);
