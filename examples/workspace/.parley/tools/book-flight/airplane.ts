/** An airplane seen from above, on a field of 16 by 16. */
export const AIRPLANE =
  'M8 .9c-.72 0-1.2.95-1.2 2.05v3L1 9.4v1.45l5.8-1.75v3.2l-1.75 1.3v1.2L8 14l2.95.8v-1.2L9.2 12.3V9.1l5.8 1.75V9.4L9.2 5.95v-3C9.2 1.85 8.72.9 8 .9Z';

/** The tool's icon. An icon is an image, which does not know the theme: a blue that can be told from light and dark. */
export const airplaneIcon =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#3a86c8">` +
  `<path transform="rotate(45 8 8)" d="${AIRPLANE}"/></svg>`;
