// Before the first paint: the theme that was chosen here, if one was.
const theme = localStorage.getItem("theme");
if (theme) document.documentElement.dataset.theme = theme;
