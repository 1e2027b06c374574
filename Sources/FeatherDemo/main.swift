print("FeatherDemo")
