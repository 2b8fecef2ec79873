import { byId } from './dom.ts';

/** Calls `onImage` for each image file that the user picks, drops on the page or pastes. */
export function listenForImages(onImage: (image: File) => void): void {
  const input = byId('file', HTMLInputElement);
  input.addEventListener('change', () => {
    useFirst(input.files, onImage);
    // Otherwise, picking the same file again would not fire an event.
    input.value = '';
  });
  byId('pick', HTMLButtonElement).addEventListener('click', () => input.click());
  document.addEventListener('paste', ({ clipboardData }) => useFirst(clipboardData?.files, onImage));
  listenForDrops(onImage);
}

function listenForDrops(onImage: (image: File) => void): void {
  const { classList } = document.body;
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    classList.add('dropping');
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) classList.remove('dropping');
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    classList.remove('dropping');
    useFirst(event.dataTransfer?.files, onImage);
  });
}

function useFirst(files: FileList | null | undefined, onImage: (image: File) => void): void {
  const [file] = files ?? [];
  if (file !== undefined) onImage(file);
}
