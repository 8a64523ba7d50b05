/* Reads an updateinfo.xml with createrepo_c's parser and prints how many updates it has. Built and run by read-feeds.ts where the library is. */
#include <createrepo_c/createrepo_c.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  GError *error = NULL;
  cr_UpdateInfo *info = cr_updateinfo_new();
  if (cr_xml_parse_updateinfo(argv[1], info, NULL, NULL, &error) != CRE_OK) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
  }
  printf("%u\n", g_slist_length(info->updates));
  return 0;
}
