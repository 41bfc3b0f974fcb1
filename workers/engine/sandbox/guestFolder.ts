/** Where build.ts puts what runs inside QuickJS. Alone in its file, because it is found from here, and not from a bundle. */
export const guestFolder = new URL('./guest/', import.meta.url);
