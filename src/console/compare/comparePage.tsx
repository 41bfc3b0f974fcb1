export const ComparePage = ({ id }: { readonly id: string }) => <main class="page" id="main"><h1>Compare {id}</h1></main>;
